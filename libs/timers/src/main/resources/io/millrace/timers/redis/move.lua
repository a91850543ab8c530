-- Changes when a timer is due.
--
-- KEYS  1 dir, 2 due: see shared.lua
-- ARGV  1 partition
--       2 id
--       3 at         millisecond
-- Returns 1 done, 0 no such timer, 2 its callback is running and nothing was changed
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
  ring(KEYS[1])
  return 1
end

redis.register_function(LIBRARY .. '_move', move)
