-- Makes a node the owner of vbuckets of one function that nobody has, that it has already, or whose owner's lease ended.
--
-- A Redis that came back, or took another's place, may have lost what was saved last. Then nobody saves anything more of
-- what he knows from before: whoever owned a vbucket still does, but has to claim it again and goes on from here.
--
-- KEYS[1]   checkpoints  HASH  vbucket -> "1 epoch seqno uuid millis worker owner", "epoch" -> the last epoch, and
--                              "run" -> the run of Redis in which the latest claim was made
-- KEYS[2]   leases       HASH  node -> when its lease ends, in milliseconds since 1970
-- ARGV[1]   owner        the claiming node; no blanks
-- ARGV[1+i] vbucket
--
-- Returns { epoch, record of the first vbucket, ... }, the records as they now stand: one with another epoch was refused.
local checkpoints, leases = KEYS[1], KEYS[2]
local owner = ARGV[1]

-- Counts on from the clock, so that an epoch from before a deletion of the checkpoints never comes again.
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

local run = redis.call('INFO', 'server'):match('run_id:(%x+)')
local before_run = redis.call('HGET', checkpoints, 'run')
if before_run and before_run ~= run then
  local all = redis.call('HGETALL', checkpoints)
  for i = 1, #all, 2 do
    local rest = string.match(all[i + 1], '^1 %d+ (.*)$')
    if rest then
      redis.call('HSET', checkpoints, all[i], '1 0 ' .. rest)
    end
  end
end
redis.call('HSET', checkpoints, 'epoch', written, 'run', run)
local fields = {}
for i = 2, #ARGV do
  fields[#fields + 1] = ARGV[i]
end
local found = redis.call('HMGET', checkpoints, unpack(fields))
local answer, pairs_ = { epoch }, {}
for i, field in ipairs(fields) do
  local rest, before = '-1 - 0 -', '-'
  if found[i] then
    -- seqno, uuid, millis and worker stay
    rest, before = string.match(found[i], '^1 %d+ (.*) ([^ ]+)$')
  end
  if alive(before) then
    answer[#answer + 1] = found[i]
  else
    local record = '1 ' .. written .. ' ' .. rest .. ' ' .. owner
    pairs_[#pairs_ + 1] = field
    pairs_[#pairs_ + 1] = record
    answer[#answer + 1] = record
  end
end
if #pairs_ > 0 then
  redis.call('HSET', checkpoints, unpack(pairs_))
end
return answer
