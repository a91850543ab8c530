-- Removes timers whose callbacks have returned, unless they were created anew meanwhile.
--
-- KEYS[1] gate, KEYS[2] due, KEYS[3] rec
-- ARGV[1] partition, ARGV[2] epoch
-- ARGV[2i+1] id, ARGV[2i+2] version
--
-- Returns how many were removed, or FENCED when another epoch owns the partition.
local function confirm(KEYS, ARGV)
  if not owned(KEYS[1], ARGV[1], ARGV[2]) then
    return FENCED
  end
  local done = {}
  for i = 3, #ARGV, 2 do
    if version_of(redis.call('HGET', KEYS[3], ARGV[i])) == ARGV[i + 1] then
      done[#done + 1] = ARGV[i]
    end
  end
  if #done > 0 then
    redis.call('ZREM', KEYS[2], unpack(done))
    redis.call('HDEL', KEYS[3], unpack(done))
  end
  return #done
end

redis.register_function(LIBRARY .. '_confirm', confirm)
