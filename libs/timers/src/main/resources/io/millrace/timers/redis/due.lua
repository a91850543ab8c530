-- Finds the functions that have something due.
--
-- KEYS  dir of one shard for each function: see shared.lua
-- ARGV  1 until  millisecond
-- Returns the positions of those keys whose earliest unclaimed timer is due until then, from 0
local function due(KEYS, ARGV)
  local found, latest = {}, tonumber(ARGV[1])
  for i, dir in ipairs(KEYS) do
    local first = redis.call('ZRANGE', dir, 0, 0, 'WITHSCORES')
    if first[1] and tonumber(first[2]) <= latest then
      found[#found + 1] = i - 1
    end
  end
  return found
end

redis.register_function(LIBRARY .. '_due', due)
