-- Reads a page of batches; the tip is one of them.
--
-- KEYS  as of sync
-- ARGV  1 inc, 2 counter, 3 ref, 4 now: not used
--       5 direction  F forward from the lowest index, B backward from the highest
--       6 from       the lowest index to read
--       7 to         the index after the highest to read
--       8 batches    how many at most
-- Returns P n i base etag start event ...  the events from index start on, oldest first
--         N no such stream, D the document is not a stream

-- The first index of the page that ends before an index.
local function page_start(list, base, at, from, batches)
  while at > from do
    local low = math.max(base, at - SCAN_EVENTS)
    local events = range(list, base, low, at)
    for k = #events, 1, -1 do
      at = at - 1
      if events[k]:byte() == BATCH or at == base then
        batches = batches - 1
        if batches == 0 or at <= from then return at end
      end
    end
  end
  return at
end

-- The index after the last of the batches that begin with the one of an index and end at the tip.
local function page_end(list, base, at, i, batches)
  local high = at + 1
  while high < i do
    local events = range(list, base, high, math.min(i, high + SCAN_EVENTS))
    for k = 1, #events do
      if events[k]:byte() == BATCH then
        batches = batches - 1
        if batches == 0 then return high + k - 1, 0 end
      end
    end
    high = high + #events
  end
  return i, batches - 1
end

local function backward(list, n, i, base, from, to, batches)
  local stop = math.min(to, n)
  local start = stop
  if i < to then
    start = math.min(i, stop)
    batches = batches - 1
  end
  from = math.max(from, base)
  if batches > 0 and start > from then start = page_start(list, base, start, from, batches) end
  return math.max(start, math.min(from, stop)), stop
end

local function forward(list, n, i, base, from, to, batches)
  local start = math.min(math.max(from, base), n)
  local stop = start
  if start < i then stop, batches = page_end(list, base, start, i, batches) end
  if stop >= i and batches > 0 then stop = n end
  return start, math.max(start, math.min(stop, to))
end

local function read(keys, args)
  local list = keys[5]
  local found = redis.call('HMGET', keys[1], 'h', 't')
  if not found[1] then return {'N'} end
  if not found[2] then return {'D'} end
  local _, _, seqno = parse(found[1])
  local n, i, base = parse_log(found[2])
  local page = args[5] == 'B' and backward or forward
  local start, stop = page(list, n, i, base, tonumber(args[6]), tonumber(args[7]), tonumber(args[8]))
  local answer = {'P', tostring(n), tostring(i), tostring(base), decimal(seqno), tostring(start)}
  return append(answer, range(list, base, start, stop))
end

redis.register_function{function_name = LIBRARY .. '_read', callback = read, flags = {'no-writes'}}
