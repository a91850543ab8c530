-- Adds spans to a trace. All keys have the hash tag {traces}:
--   t:<trace>      LIST  spans, as JSON
--   x:<trace>      SET   its references
--   i:<reference>  ZSET  trace -> millisecond in which it got the reference; of f:<function> and w only the newest, whose
--                        traces are kept, of d:<document id> and r:<request id> all that are kept
--
-- KEYS  1 spans       LIST, t:<trace>
--       2 references  SET, x:<trace>
-- ARGV  1 prefix      of all keys
--       2 trace
--       3 now         millisecond
--       4 kept        how many traces of each reference that keeps them
--       5 most        the most spans of a trace
--       6 seconds     after which keys are deleted that nothing was added to
--       7 count       of references
--       8 ...         the references, then the spans
-- Returns how many spans the trace has

local function keeps(reference)
  return reference == 'w' or reference:sub(1, 2) == 'f:'
end

-- Takes away a reference from a trace, and deletes the trace when none is left that keeps it.
local function leave(prefix, trace, reference)
  local references = prefix .. 'x:' .. trace
  redis.call('SREM', references, reference)
  local rest = redis.call('SMEMBERS', references)
  for _, each in ipairs(rest) do
    if keeps(each) then return end
  end
  for _, each in ipairs(rest) do
    redis.call('ZREM', prefix .. 'i:' .. each, trace)
  end
  redis.call('DEL', prefix .. 't:' .. trace, references)
end

local function add(keys, args)
  local spans, references = keys[1], keys[2]
  local prefix, trace, now = args[1], args[2], args[3]
  local kept, most, seconds, count = tonumber(args[4]), tonumber(args[5]), args[6], tonumber(args[7])
  local room = most - redis.call('LLEN', spans)
  for i = 8 + count, math.min(#args, 7 + count + room) do
    redis.call('RPUSH', spans, args[i])
  end
  for i = 8, 7 + count do
    local reference = args[i]
    if redis.call('SADD', references, reference) == 1 then
      local index = prefix .. 'i:' .. reference
      redis.call('ZADD', index, now, trace)
      redis.call('EXPIRE', index, seconds)
      if keeps(reference) and redis.call('ZCARD', index) > kept then
        leave(prefix, redis.call('ZPOPMIN', index)[1], reference)
      end
    end
  end
  redis.call('EXPIRE', spans, seconds)
  redis.call('EXPIRE', references, seconds)
  return redis.call('LLEN', spans)
end

redis.register_function(LIBRARY .. '_add', add)
