-- Changes when a timer is due.
--
-- KEYS[1] dir, KEYS[2] due
-- ARGV[1] partition, ARGV[2] id, ARGV[3] at
--
-- Returns 0 when there is none, 1, or 2 when its callback runs, so that nothing was changed.
local function move(KEYS, ARGV)
  local at = redis.call('ZSCORE', KEYS[2], ARGV[2])
  if not at then
    return 0
  end
  if tonumber(at) >= CLAIMED then
    return 2
  end
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
  enter_head(KEYS[1], KEYS[2], ARGV[1])
  return 1
end

redis.register_function(LIBRARY .. '_move', move)
