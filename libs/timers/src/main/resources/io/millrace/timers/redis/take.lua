-- Makes an epoch the owner of partitions. What an owner before had claimed is due again.
--
-- KEYS  1 gate, 2 dir, 3 ... due of each partition: see shared.lua
-- ARGV  1 instance   of the calling function
--       2 epoch
--       3 ...        the partitions
-- Returns for each partition how many timers were claimed, FENCED a later epoch owns the partition or the function was undeployed
local function take(KEYS, ARGV)
  local gate, dir, epoch = KEYS[1], KEYS[2], ARGV[2]
  local open = redis.call('HGET', gate, 'instance') == ARGV[1]
  local answers = {}
  for i = 3, #KEYS do
    local due, partition = KEYS[i], ARGV[i]
    if not open or tonumber(redis.call('HGET', gate, 'e' .. partition) or 0) > tonumber(epoch) then
      answers[i - 2] = FENCED
    else
      redis.call('HSET', gate, 'e' .. partition, epoch)
      redis.call('HDEL', gate, 'c' .. partition)
      local claimed = redis.call('ZRANGEBYSCORE', due, CLAIMED, '+inf', 'WITHSCORES')
      for n = 1, #claimed, 2 do
        redis.call('ZADD', due, string.format('%.0f', tonumber(claimed[n + 1]) - CLAIMED), claimed[n])
      end
      enter_head(dir, due, partition)
      answers[i - 2] = #claimed / 2
    end
  end
  return answers
end

redis.register_function(LIBRARY .. '_take', take)
