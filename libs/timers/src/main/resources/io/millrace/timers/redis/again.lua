-- Lets a claimed timer become due again: a retry, or the next run of a schedule.
--
-- KEYS  1 gate, 2 dir, 3 due, 4 rec: see shared.lua
-- ARGV  1 partition
--       2 epoch
--       3 id
--       4 version
--       5 at          millisecond
--       6 attributes  replace those of the timer; the context stays
-- Returns 1 done, 0 the timer was cancelled or created again meanwhile, FENCED another epoch owns the partition
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
