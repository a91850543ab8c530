-- Brings an index from one seqno to a later one: what documents that changed in between have in it now.
--
-- KEYS  1 meta      HASH, the shard
--       2 indexes   HASH, seqno that an index has come to by <cid>:<index>
--       3 entries   ZSET, the entries of the index, all with score 0
--       4 owners    HASH, the entries of a document by its id, each with its length in front
-- ARGV  1 inc       the incarnation that the caller believes in
--       2 index     <cid>:<index>
--       3 from      the seqno that the index must have come to
--       4 to        the seqno that it then has come to
--       5 ...       documents: id, number of entries, entries
-- Returns O done, C the index has come to another seqno, S unknown shard, incarnation or index

local function index(keys, args)
  local meta, indexes, entries, owners = keys[1], keys[2], keys[3], keys[4]
  local inc, name, from, to = args[1], args[2], args[3], args[4]

  local come = redis.call('HGET', indexes, name)
  if not come or not readable(redis.call('HGET', meta, 'gate'), inc) then return 'S' end
  if come ~= from then return 'C' end

  local i = 5
  while i <= #args do
    local id, number = args[i], tonumber(args[i + 1])
    local packed = {}
    for j = 1, number do
      packed[j] = struct.pack('>I4', #args[i + 1 + j]) .. args[i + 1 + j]
    end
    local now = table.concat(packed)
    local before = redis.call('HGET', owners, id) or ''
    if before ~= now then
      local at = 1
      while at <= #before do
        local length = struct.unpack('>I4', before:sub(at, at + 3))
        redis.call('ZREM', entries, before:sub(at + 4, at + 3 + length))
        at = at + 4 + length
      end
      for j = 1, number do redis.call('ZADD', entries, 0, args[i + 1 + j]) end
      if number > 0 then redis.call('HSET', owners, id, now) else redis.call('HDEL', owners, id) end
    end
    i = i + 2 + number
  end
  redis.call('HSET', indexes, name, to)
  return 'O'
end

redis.register_function(LIBRARY .. '_index', index)
