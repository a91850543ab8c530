-- Removes timers whose callbacks have returned, unless they were created again meanwhile.
--
-- KEYS  1 gate       see shared.lua
--       2 ...        due and rec of each partition
-- ARGV  1 ...        for each partition: partition, epoch, how many timers, then id and version of each
-- Returns for each partition how many were removed, FENCED another epoch owns it
local function confirmed(due, rec, ARGV, from, to)
  local done = {}
  for i = from, to, 2 do
    if version_of(redis.call('HGET', rec, ARGV[i])) == ARGV[i + 1] then
      done[#done + 1] = ARGV[i]
    end
  end
  if #done > 0 then
    redis.call('ZREM', due, unpack(done))
    redis.call('HDEL', rec, unpack(done))
  end
  return #done
end

local function confirm(KEYS, ARGV)
  local answers, at = {}, 1
  for i = 1, (#KEYS - 1) / 2 do
    local from = at + 3
    local to = from + 2 * tonumber(ARGV[at + 2]) - 1
    if owned(KEYS[1], ARGV[at], ARGV[at + 1]) then
      answers[i] = confirmed(KEYS[2 * i], KEYS[2 * i + 1], ARGV, from, to)
    else
      answers[i] = FENCED
    end
    at = to + 1
  end
  return answers
end

redis.register_function(LIBRARY .. '_confirm', confirm)
