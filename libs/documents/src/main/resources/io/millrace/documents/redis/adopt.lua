-- Enters documents among the ids of their shard, where an earlier version has not done so.
--
-- KEYS  1 ids   ZSET, <cid>:<id> of living documents, all with score 0
--       2 ...   HASHes, documents
-- ARGV  1 ...   <cid>:<id> of each
-- Returns O

local function adopt(keys, args)
  for i = 1, #args do
    local header = redis.call('HGET', keys[i + 1], 'h')
    if header and parse(header) == 'L' then redis.call('ZADD', keys[1], 0, args[i]) end
  end
  return 'O'
end

redis.register_function(LIBRARY .. '_adopt', adopt)
