-- Returns the present by the clock of a shard, from which the cas of its next mutation would be made.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 now    second with its fraction
-- Returns a number in units of 65,536 ns, in decimal

local function time(keys, args)
  return string.format('%.0f', tick(tonumber(redis.call('HGET', keys[1], 't')) or 0, tonumber(args[1])))
end

redis.register_function{function_name = LIBRARY .. '_time', callback = time, flags = {'no-writes'}}
