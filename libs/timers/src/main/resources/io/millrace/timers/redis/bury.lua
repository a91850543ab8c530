-- Turns a claimed timer into a dead letter.
--
-- KEYS[1] gate, KEYS[2] due, KEYS[3] rec, KEYS[4] dead
-- ARGV[1] partition, ARGV[2] epoch, ARGV[3] id, ARGV[4] version
-- ARGV[5] head  what comes before the record in the letter
-- ARGV[6] most  how many letters are kept; the oldest ones go
--
-- Returns 1, 0 when it was cancelled or created anew meanwhile, or FENCED when another epoch owns the partition.
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
