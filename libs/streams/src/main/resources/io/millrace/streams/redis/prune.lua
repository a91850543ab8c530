-- Removes the oldest events of a stream: whole batches, and single events of the tip. Unfolds and version remain.
--
-- KEYS  as of sync
-- ARGV  1 inc      the incarnation that the caller expects
--       2 counter  not used
--       3 ref      <cid>:<id>
--       4 now      second with its fraction
--       5 index    of the last event to remove
-- Returns P deleted deferred base  how many were removed, how many remain with their batch, the first that remains
--         N no such stream, D the document is not a stream, S unknown shard or incarnation

-- The end of the last batch that ends at or before an index, or base.
local function last_batch_end(list, base, i, limit)
  local stop, at = base, base
  while at < i and at <= limit do
    local events = range(list, base, at, math.min(i, at + SCAN_EVENTS))
    for k = 1, #events do
      local index = at + k - 1
      if index > limit then return stop end
      if events[k]:byte() == BATCH then stop = index end
    end
    at = at + #events
  end
  return i <= limit and i or stop
end

local function prune(keys, args)
  local doc, meta, list = keys[1], keys[3], keys[5]
  local ref, now = args[3], tonumber(args[4])

  local shard = start(meta, args[1], now)
  if not shard then return {'S'} end
  local found = redis.call('HMGET', doc, 'h', 't')
  if not found[1] then return {'N'} end
  if not found[2] then return {'D'} end
  local n, i, base, bytes, versions = parse_log(found[2])
  local limit = math.min(tonumber(args[5]) + 1, n)
  if limit <= base then return {'P', '0', '0', tostring(base)} end

  local stop = last_batch_end(list, base, i, limit)
  local touches = limit > i
  if touches then
    for _, event in ipairs(range(list, base, i, limit)) do bytes = bytes - #event + event:find('{', 1, true) - 1 end
    stop, i = limit, limit
  end
  local deleted = stop - base
  if deleted > 0 then redis.call('LTRIM', list, deleted, -1) end
  redis.call('HSET', doc, 't', format_log(n, i, stop, bytes, versions))
  -- a move of the bucket copies again only what has a new row
  touches = touches or deleted > 0 and redis.call('HEXISTS', meta, 'leaving') == 1
  if touches then
    local state, _, _, revision, _, _, begin = parse(found[1])
    change(keys, ref, shard, state, state, advance(shard), revision + 1, now, found[1]:sub(begin))
  end
  return {'P', tostring(deleted), tostring(limit - stop), tostring(stop)}
end

redis.register_function(LIBRARY .. '_prune', prune)
