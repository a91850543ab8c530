-- Looks for timers of a partition whose ids contain a text, in the order in which they are due, a part of them at a time.
--
-- KEYS  1 due: see shared.lua
-- ARGV  1 from     millisecond from which they are due
--       2 passed   how many of those that are due at it were looked at before
--       3 to       millisecond until which they are due
--       4 looked   the most ids to look at: a few hundred microseconds for a thousand
--       5 most     the most ids to return
--       6 text     what an id must contain
--       7 where    'end' if the id must end with it, '' if it may stand anywhere
-- Returns from and passed of the call that goes on behind what was looked at, from '' at the end;
-- then each id and when it is due
local function search(KEYS, ARGV)
  local due, from, to = KEYS[1], ARGV[1], ARGV[3]
  local text = ARGV[6]
  local first = redis.call('ZCOUNT', due, '-inf', '(' .. from) + tonumber(ARGV[2])
  local behind = redis.call('ZCOUNT', due, '-inf', to)
  if first >= behind then
    return {'', 0}
  end
  local ids = redis.call('ZRANGE', due, first, math.min(first + tonumber(ARGV[4]), behind) - 1)
  local found, room = {'', 0}, tonumber(ARGV[5])
  -- this loop sees each of a million ids: no call and no choice in it that can stand before it
  local find, start = string.find, ARGV[7] == 'end' and -#text or 1
  local looked, count = 0, #ids
  while looked < count and room > 0 do
    looked = looked + 1
    local id = ids[looked]
    if find(id, text, start, true) then
      room = room - 1
      found[#found + 1] = id
      found[#found + 1] = redis.call('ZSCORE', due, id)
    end
  end
  if first + looked < behind then
    local last = redis.call('ZSCORE', due, ids[looked])
    found[1] = last
    found[2] = first + looked - redis.call('ZCOUNT', due, '-inf', '(' .. last)
  end
  return found
end

redis.register_function{function_name = LIBRARY .. '_search', callback = search, flags = {'no-writes'}}
