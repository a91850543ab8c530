-- Removes a timer.
--
-- KEYS  1 dir, 2 due, 3 rec: see shared.lua
-- ARGV  1 partition
--       2 id
-- Returns 0 no such timer, 1 removed, 2 removed while its callback runs
local function cancel(KEYS, ARGV)
  local at = redis.call('ZSCORE', KEYS[2], ARGV[2])
  if not at then
    return 0
  end
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('HDEL', KEYS[3], ARGV[2])
  if tonumber(at) >= CLAIMED then
    return 2
  end
  enter_head(KEYS[1], KEYS[2], ARGV[1])
  return 1
end

redis.register_function(LIBRARY .. '_cancel', cancel)
