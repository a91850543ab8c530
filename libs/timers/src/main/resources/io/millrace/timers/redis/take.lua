-- Makes an epoch the owner of partitions. What an owner before had claimed is due again.
--
-- KEYS  1 gate, 2 dir, 3 ... due of each partition: see shared.lua
-- ARGV  1 instance   of the calling function
--       2 epoch
--       3 ...        the partitions
-- Returns for each partition how many timers were claimed, FENCED a later epoch owns the partition or the function was undeployed
local function unclaim(due)
  local claimed = redis.call('ZRANGEBYSCORE', due, CLAIMED, '+inf', 'WITHSCORES')
  for n = 1, #claimed, 2 do
    redis.call('ZADD', due, string.format('%.0f', tonumber(claimed[n + 1]) - CLAIMED), claimed[n])
  end
  return #claimed / 2
end

-- A function takes a thousand partitions when it starts, and most have no timers: what can be asked of many is one call.
local function take(KEYS, ARGV)
  local gate, dir, epoch = KEYS[1], KEYS[2], ARGV[2]
  local owners, answers, taken, due, epochs, nonces = {}, {}, {}, {}, {}, {}
  for i = 3, #KEYS do
    owners[i - 2] = 'e' .. ARGV[i]
  end
  local open = redis.call('HGET', gate, 'instance') == ARGV[1]
  local before = redis.call('HMGET', gate, unpack(owners))
  for i, owner in ipairs(owners) do
    if not open or tonumber(before[i] or 0) > tonumber(epoch) then
      answers[i] = FENCED
    else
      answers[i] = 0
      taken[#taken + 1] = ARGV[i + 2]
      due[#due + 1] = KEYS[i + 2]
      epochs[#epochs + 1] = owner
      epochs[#epochs + 1] = epoch
      nonces[#nonces + 1] = 'c' .. ARGV[i + 2]
    end
  end
  if #taken == 0 then
    return answers
  end
  redis.call('HSET', gate, unpack(epochs))
  redis.call('HDEL', gate, unpack(nonces))
  if redis.call('EXISTS', unpack(due)) == 0 then
    redis.call('ZREM', dir, unpack(taken))
    return answers
  end
  for i = 1, #KEYS - 2 do
    if answers[i] ~= FENCED then
      answers[i] = unclaim(KEYS[i + 2])
      enter_head(dir, KEYS[i + 2], ARGV[i + 2])
    end
  end
  return answers
end

redis.register_function(LIBRARY .. '_take', take)
