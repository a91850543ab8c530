-- Functions that the operations on streams share. Loaded after the documents' shared.lua, see RedisStreamStore.java.
--
-- A stream is a document: field b holds its unfolds, a JSON array that is opaque here. Its etag is its seqno, and its cas
-- has the same number: MetaKV's revisions are positions in the feed, and the SDKs do not see streams.
-- Field t   <n>,<i>,<base>,<bytes>\n<versions>
--           n version, i index of the tip's first event, base index of the first event that is not pruned,
--           bytes size of the tip's events, versions 8 bytes of n for each transaction that the header remembers
-- List      the events from base on: B<seqno><json> is the first of its batch, E<seqno><json> any other; seqno is
--           that of the sync that appended it

local NO_TYPE = 'J\0\0\0\0'
local BATCH = ('B'):byte()
local SCAN_EVENTS = 128
local PUSH_EVENTS = 1000
local VERSION_BYTES = 8

-- Parts of a stream's field t.
local function parse_log(log)
  local n, i, base, bytes, begin = log:match('^(%d+),(%d+),(%d+),(%d+)\n()')
  return tonumber(n), tonumber(i), tonumber(base), tonumber(bytes), log:sub(begin)
end

local function format_log(n, i, base, bytes, versions)
  return string.format('%.0f,%.0f,%.0f,%.0f\n', n, i, base, bytes) .. versions
end

-- Stores the header of a stream after a change, and moves its row.
local function change(keys, ref, shard, state, was, seqno, revision, now, transactions)
  redis.call('HSET', keys[1], 'h', compose(state, struct.pack('>I8', seqno), seqno, revision, now, 0, NO_TYPE, '')
    .. transactions)
  move(keys[2], ref, was, state, seqno)
  finish(keys[3], shard)
end

-- Events by their indices, from is the first and to the one after the last.
local function range(list, base, from, to)
  if from >= to then return {} end
  return redis.call('LRANGE', list, from - base, to - 1 - base)
end

-- Appends the elements of one table to another.
local function append(answer, more)
  for k = 1, #more do answer[#answer + 1] = more[k] end
  return answer
end
