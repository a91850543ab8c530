-- Counts when the timers of a partition are due.
--
-- KEYS  1 due: see shared.lua
-- ARGV  1 from     millisecond at which the first period begins
--       2 length   milliseconds of a period
--       3 periods  how many
-- Returns how many unclaimed timers are due in each period; nothing when none is due in any
local function density(KEYS, ARGV)
  local from, length, periods = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local function count(first, periods)
    local begin = from + first * length
    return redis.call('ZCOUNT', KEYS[1], ('%.0f'):format(begin), ('(%.0f'):format(begin + periods * length))
  end
  local counts = {}
  if count(0, periods) > 0 then
    for period = 0, periods - 1 do
      counts[period + 1] = count(period, 1)
    end
  end
  return counts
end

redis.register_function{function_name = LIBRARY .. '_density', callback = density, flags = {'no-writes'}}
