-- Appends rows of a shard to the log of its bucket, unless another reader has done so.
--
-- KEYS  1 log      ZSET, rows of all shards by their place in the bucket's order
--       2 cursors  HASH, <shard> seqno that has been merged, inc incarnation, n newest place
-- ARGV  1 inc      the incarnation that the caller believes in
--       2 first    the number before the first place of it
--       3 shard
--       4 cursor   the seqno up to which the caller found the shard merged
--       5 next     the seqno up to which it is merged with these rows
--       6 ...      the rows in their order, as they are members of by_seq
-- Returns O done, C another reader was faster, S the log has a newer incarnation

local FIRST_ROW = 6

local function merge(keys, args)
  local log, cursors = keys[1], keys[2]
  local inc, shard, cursor = args[1], args[3], args[4]

  local current = redis.call('HGET', cursors, 'inc')
  if current ~= inc then
    if current and tonumber(current) > tonumber(inc) then return 'S' end
    redis.call('DEL', log, cursors)
    redis.call('HSET', cursors, 'inc', inc, 'n', args[2])
  end
  if (redis.call('HGET', cursors, shard) or '0') ~= cursor then return 'C' end
  for k = FIRST_ROW, #args do
    place(log, args[k], redis.call('HINCRBY', cursors, 'n', 1))
  end
  redis.call('HSET', cursors, shard, args[5])
  return 'O'
end

redis.register_function(LIBRARY .. '_merge', merge)
