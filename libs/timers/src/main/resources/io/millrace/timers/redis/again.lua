-- Lets a claimed timer become due again: a retry, or the next run of a schedule.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec
-- ARGV[1] partition, ARGV[2] epoch, ARGV[3] id, ARGV[4] version
-- ARGV[5] at          millisecond
-- ARGV[6] attributes  in place of those it has; the context stays
--
-- Returns 1, 0 when it was cancelled or created anew meanwhile, or FENCED when another epoch owns the partition.
local function again(KEYS, ARGV)
  if not owned(KEYS[1], ARGV[1], ARGV[2]) then
    return FENCED
  end
  local id = ARGV[3]
  local record = redis.call('HGET', KEYS[4], id)
  if version_of(record) ~= ARGV[4] then
    return 0
  end
  redis.call('HSET', KEYS[4], id, ARGV[4] .. ARGV[6] .. behind_attributes(record))
  redis.call('ZADD', KEYS[3], ARGV[5], id)
  redis.call('ZADD', KEYS[2], 'LT', ARGV[5], ARGV[1])
  return 1
end

redis.register_function(LIBRARY .. '_again', again)
