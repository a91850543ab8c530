-- Takes over the checkpoints of a range of vbuckets of one function.
--
-- KEYS[1] checkpoints  HASH  vbucket -> "1 epoch seqno uuid millis worker owner", and "epoch" -> the last epoch
-- ARGV[1] owner        the claiming node; no blanks
-- ARGV[2] first        the first vbucket
-- ARGV[3] last         the last vbucket
--
-- Returns { epoch, record of first, ..., record of last }, the records as they now stand.
local checkpoints = KEYS[1]
local owner, first, last = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

-- Counts on from the clock, so that an epoch from before a deletion of the checkpoints never comes again.
local time = redis.call('TIME')
local epoch = math.max(tonumber(redis.call('HGET', checkpoints, 'epoch') or 0) + 1, time[1] * 1000000 + time[2])
local written = string.format('%.0f', epoch)
redis.call('HSET', checkpoints, 'epoch', written)
local fields = {}
for vbucket = first, last do
  fields[#fields + 1] = string.format('%d', vbucket)
end
local found = redis.call('HMGET', checkpoints, unpack(fields))
local answer, pairs_ = { epoch }, {}
for i, field in ipairs(fields) do
  -- seqno, uuid, millis and worker stay
  local rest = found[i] and string.match(found[i], '^1 %d+ (.*) [^ ]+$') or '-1 - 0 -'
  local record = '1 ' .. written .. ' ' .. rest .. ' ' .. owner
  pairs_[#pairs_ + 1] = field
  pairs_[#pairs_ + 1] = record
  answer[#answer + 1] = record
end
redis.call('HSET', checkpoints, unpack(pairs_))
return answer
