-- Makes an epoch the owner of a partition. What an owner before had claimed is due again.
--
-- KEYS  1 gate, 2 dir, 3 due: see shared.lua
-- ARGV  1 instance   of the calling function
--       2 partition
--       3 epoch
-- Returns how many timers were claimed, FENCED a later epoch owns the partition or the function was undeployed
local function take(KEYS, ARGV)
  local gate, dir, due, partition = KEYS[1], KEYS[2], KEYS[3], ARGV[2]
  if redis.call('HGET', gate, 'instance') ~= ARGV[1] then
    return FENCED
  end
  if tonumber(redis.call('HGET', gate, 'e' .. partition) or 0) > tonumber(ARGV[3]) then
    return FENCED
  end
  redis.call('HSET', gate, 'e' .. partition, ARGV[3])
  redis.call('HDEL', gate, 'c' .. partition)
  local claimed = redis.call('ZRANGEBYSCORE', due, CLAIMED, '+inf', 'WITHSCORES')
  for i = 1, #claimed, 2 do
    redis.call('ZADD', due, string.format('%.0f', tonumber(claimed[i + 1]) - CLAIMED), claimed[i])
  end
  enter_head(dir, due, partition)
  return #claimed / 2
end

redis.register_function(LIBRARY .. '_take', take)
