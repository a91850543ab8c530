-- Creates a timer, or replaces the one with the same id.
--
-- KEYS  1 gate, 2 dir, 3 due, 4 rec: see shared.lua
-- ARGV  1 instance   of the calling function
--       2 partition
--       3 id         <callback>:<reference>
--       4 at         millisecond
--       5 rest       <attributes>\n<context>
-- Returns the version of the timer, FENCED the function has been undeployed or deployed again since
local function create(KEYS, ARGV)
  if redis.call('HGET', KEYS[1], 'instance') ~= ARGV[1] then
    return FENCED
  end
  return tonumber(put(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3], ARGV[4], ARGV[5]))
end

redis.register_function(LIBRARY .. '_create', create)
