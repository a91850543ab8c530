-- Remembers the states of documents that a function has handled, each while its vbucket is owned with the epoch that
-- writes.
--
-- KEYS[1]    handled      HASH  name of the document -> what is remembered
-- KEYS[2]    checkpoints  HASH  as in claim.lua
-- ARGV[4i-3] vbucket
-- ARGV[4i-2] epoch        with which the writer owns it
-- ARGV[4i-1] name
-- ARGV[4i]   state        empty to forget it
--
-- Returns { fenced }: how many were not written because their vbuckets are not the writer's.
local handled, checkpoints = KEYS[1], KEYS[2]

local fenced = 0
for i = 1, #ARGV, 4 do
  local checkpoint = redis.call('HGET', checkpoints, ARGV[i])
  if not checkpoint or string.match(checkpoint, '^1 (%d+) ') ~= ARGV[i + 1] then
    fenced = fenced + 1
  elseif ARGV[i + 3] == '' then
    redis.call('HDEL', handled, ARGV[i + 2])
  else
    redis.call('HSET', handled, ARGV[i + 2], ARGV[i + 3])
  end
end
return { fenced }
