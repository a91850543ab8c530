-- Turns a claimed timer into a dead letter.
--
-- KEYS  1 gate, 2 due, 3 rec, 4 dead: see shared.lua
-- ARGV  1 partition
--       2 epoch
--       3 id
--       4 version
--       5 head   precedes the record in the letter
--       6 limit  how many letters are kept; the oldest are dropped
-- Returns 1 done, 0 the timer was cancelled or created again meanwhile, FENCED another epoch owns the partition
local function bury(KEYS, ARGV)
  if not owned(KEYS[1], ARGV[1], ARGV[2]) then
    return FENCED
  end
  local record = redis.call('HGET', KEYS[3], ARGV[3])
  if version_of(record) ~= ARGV[4] then
    return 0
  end
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[5] .. record)
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -1 - tonumber(ARGV[6]))
  redis.call('ZREM', KEYS[2], ARGV[3])
  redis.call('HDEL', KEYS[3], ARGV[3])
  return 1
end

redis.register_function(LIBRARY .. '_bury', bury)
