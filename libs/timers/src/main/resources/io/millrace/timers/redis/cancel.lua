-- Removes a timer.
--
-- KEYS[1] dir, KEYS[2] due, KEYS[3] rec
-- ARGV[1] partition, ARGV[2] id
--
-- Returns 0 when there is none, 1 when it was removed, 2 when it was removed while its callback runs.
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
