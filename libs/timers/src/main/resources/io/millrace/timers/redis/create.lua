-- Creates a timer, or replaces the one with the same id.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec
-- ARGV[1] instance   of the function that asks
-- ARGV[2] partition
-- ARGV[3] id         <callback>:<reference>
-- ARGV[4] at         millisecond
-- ARGV[5] rest       <attributes>\n<context>
--
-- Returns its version, or FENCED when the function has been undeployed or deployed anew since.
local function create(KEYS, ARGV)
  if redis.call('HGET', KEYS[1], 'instance') ~= ARGV[1] then
    return FENCED
  end
  return tonumber(put(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3], ARGV[4], ARGV[5]))
end

redis.register_function(LIBRARY .. '_create', create)
