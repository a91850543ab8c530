-- Saves checkpoints of one function, each only while its vbucket is owned with the epoch that saves. A record with
-- another epoch and no owner gives the vbucket up.
--
-- KEYS[1]    checkpoints  HASH  as in claim.lua
-- ARGV[3i-2] vbucket
-- ARGV[3i-1] epoch        with which the writer owns it
-- ARGV[3i]   record       "1 epoch seqno uuid millis worker owner"
--
-- Returns { vbucket, ... }: those that another epoch has claimed, or whose checkpoints are gone, or all when they were
-- claimed in another run of Redis. Not saved.
local checkpoints = KEYS[1]

local run = redis.call('HGET', checkpoints, 'run')
local same = not run or run == redis.call('INFO', 'server'):match('run_id:(%x+)')

local fields = {}
for i = 1, #ARGV, 3 do
  fields[#fields + 1] = ARGV[i]
end
local found = redis.call('HMGET', checkpoints, unpack(fields))
local fenced, pairs_ = {}, {}
for i, field in ipairs(fields) do
  if same and found[i] and string.match(found[i], '^1 (%d+) ') == ARGV[3 * i - 1] then
    pairs_[#pairs_ + 1] = field
    pairs_[#pairs_ + 1] = ARGV[3 * i]
  else
    fenced[#fenced + 1] = tonumber(field)
  end
end
if #pairs_ > 0 then
  redis.call('HSET', checkpoints, unpack(pairs_))
end
return fenced
