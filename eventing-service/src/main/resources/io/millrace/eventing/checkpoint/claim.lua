-- Makes a node the owner of vbuckets of one function: of those that have no owner, that it owns already, or whose owner's
-- lease has ended.
--
-- A Redis that was restarted, or a replica that was promoted, may have lost the latest saves. After that, saves with an
-- older epoch are rejected; owners keep their vbuckets but must claim them again and continue from the returned
-- checkpoints.
--
-- KEYS  1 checkpoints  HASH, "1 epoch seqno uuid millis worker owner" by vbucket; field epoch: the latest epoch; field
--                      run: the run of Redis in which the latest claim was made
--       2 leases       HASH, the end of a lease in milliseconds since 1970 by node
-- ARGV  1 owner        the claiming node, without blanks
--       2 ...          vbuckets
-- Returns { epoch, record of the first vbucket, ... }, the records as they are now; a record with another epoch means
--         that the claim of its vbucket was refused

local function run_of_redis()
  return redis.call('INFO', 'server'):match('run_id:(%x+)')
end

-- Sets the epoch of all records to 0, so that saves of their owners are rejected.
local function fence_all(checkpoints)
  local all = redis.call('HGETALL', checkpoints)
  for i = 1, #all, 2 do
    local rest = string.match(all[i + 1], '^1 %d+ (.*)$')
    if rest then
      redis.call('HSET', checkpoints, all[i], '1 0 ' .. rest)
    end
  end
end

local function claim(keys, args)
  local checkpoints, leases, owner = keys[1], keys[2], args[1]

  -- epochs follow the clock, so that an epoch from before a deletion of the checkpoints is never used again
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local epoch = math.max(tonumber(redis.call('HGET', checkpoints, 'epoch') or 0) + 1, time[1] * 1000000 + time[2])
  local written = string.format('%.0f', epoch)

  local ends = { [owner] = 0, ['-'] = 0 }
  local function alive(node)
    if not ends[node] then
      ends[node] = tonumber(redis.call('HGET', leases, node) or 0)
    end
    return ends[node] > now
  end

  local run = run_of_redis()
  local previous_run = redis.call('HGET', checkpoints, 'run')
  if previous_run and previous_run ~= run then fence_all(checkpoints) end
  redis.call('HSET', checkpoints, 'epoch', written, 'run', run)

  local vbuckets = {}
  for i = 2, #args do vbuckets[#vbuckets + 1] = args[i] end
  local found = redis.call('HMGET', checkpoints, unpack(vbuckets))
  local answer, granted = { epoch }, {}
  for i, vbucket in ipairs(vbuckets) do
    local rest, previous_owner = '-1 - 0 -', '-'
    if found[i] then
      -- seqno, uuid, millis and worker are kept
      rest, previous_owner = string.match(found[i], '^1 %d+ (.*) ([^ ]+)$')
    end
    if alive(previous_owner) then
      answer[#answer + 1] = found[i]
    else
      local record = '1 ' .. written .. ' ' .. rest .. ' ' .. owner
      granted[#granted + 1] = vbucket
      granted[#granted + 1] = record
      answer[#answer + 1] = record
    end
  end
  if #granted > 0 then
    redis.call('HSET', checkpoints, unpack(granted))
  end
  return answer
end

redis.register_function(LIBRARY .. '_claim', claim)
