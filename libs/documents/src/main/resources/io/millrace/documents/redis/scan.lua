-- Reads entries of an index, when it has come far enough.
--
-- KEYS  1 meta      HASH, the shard
--       2 indexes   HASH, seqno that an index has come to by <cid>:<index>
--       3 entries   ZSET, the entries of the index, all with score 0
--       4 expiries  ZSET, <cid>:<id> by second of expiry
-- ARGV  1 inc       the incarnation that the caller believes in
--       2 index     <cid>:<index>
--       3 least     the seqno that the index must have come to, empty for the newest of the shard
--       4 now       second; a document that is due must become a tombstone first, empty when that has been done
--       5 from      least entry as ZRANGEBYLEX takes it
--       6 to        greatest entry as ZRANGEBYLEX takes it
--       7 order     A ascending, D descending
--       8 max       how many at most, 0 to read none
-- Returns an array that begins with
--         O  and goes on with entries, or with the run of Redis when none are read
--         B  and goes on with the seqno that the index has come to and that it should have come to
--         D  something is due
--         S  unknown shard, incarnation or index

local function scan(keys, args)
  local meta, indexes, entries, expiries = keys[1], keys[2], keys[3], keys[4]
  local inc, name, least, now = args[1], args[2], args[3], args[4]

  local come = redis.call('HGET', indexes, name)
  if not come or not readable(redis.call('HGET', meta, 'gate'), inc) then return {'S'} end
  if now ~= '' and redis.call('ZCOUNT', expiries, '-inf', now) > 0 then return {'D'} end
  if least == '' then least = redis.call('HGET', meta, 'n') or '0' end
  if tonumber(come) < tonumber(least) then return {'B', come, least} end
  if args[8] == '0' then return {'O', run()} end

  local page
  if args[7] == 'A' then
    page = redis.call('ZRANGEBYLEX', entries, args[5], args[6], 'LIMIT', 0, args[8])
  else
    page = redis.call('ZREVRANGEBYLEX', entries, args[6], args[5], 'LIMIT', 0, args[8])
  end
  table.insert(page, 1, 'O')
  return page
end

redis.register_function{function_name = LIBRARY .. '_scan', callback = scan, flags = {'no-writes'}}
