-- Saves checkpoints of one function, each only while its vbucket is claimed by the epoch that saves.
--
-- KEYS[1]    checkpoints  HASH  as in claim.lua
-- ARGV[2i-1] vbucket
-- ARGV[2i]   record       "1 epoch seqno uuid millis worker owner"
--
-- Returns { vbucket, ... }: those that another epoch has claimed, or whose checkpoints are gone. Not saved.
local checkpoints = KEYS[1]

local fields = {}
for i = 1, #ARGV, 2 do
  fields[#fields + 1] = ARGV[i]
end
local found = redis.call('HMGET', checkpoints, unpack(fields))
local fenced, pairs_ = {}, {}
for i, field in ipairs(fields) do
  local record = ARGV[2 * i]
  local epoch = string.match(record, '^1 (%d+) ')
  if found[i] and string.match(found[i], '^1 (%d+) ') == epoch then
    pairs_[#pairs_ + 1] = field
    pairs_[#pairs_ + 1] = record
  else
    fenced[#fenced + 1] = tonumber(field)
  end
end
if #pairs_ > 0 then
  redis.call('HSET', checkpoints, unpack(pairs_))
end
return fenced
