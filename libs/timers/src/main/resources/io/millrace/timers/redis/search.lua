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
  local text, at_end = ARGV[6], ARGV[7] == 'end'
  local first = redis.call('ZCOUNT', due, '-inf', '(' .. from) + tonumber(ARGV[2])
  local behind = redis.call('ZCOUNT', due, '-inf', to)
  if first >= behind then
    return {'', 0}
  end
  local ids = redis.call('ZRANGE', due, first, math.min(first + tonumber(ARGV[4]), behind) - 1)
  local found = {'', 0}
  local most = 2 + 2 * tonumber(ARGV[5])
  local looked = 0
  while looked < #ids and #found < most do
    looked = looked + 1
    local id = ids[looked]
    if (at_end and id:sub(-#text) == text) or (not at_end and id:find(text, 1, true)) then
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
