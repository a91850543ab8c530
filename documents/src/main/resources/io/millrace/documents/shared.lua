-- What the operations below share. Loaded first, see FunctionLibrary.java.
--
-- Fields of a document's hash
--   s  cas = seqno, decimal
--   h  <state><datatype><flags>,<expiry>,<origin>   state L living, D deleted, E expired; datatype J JSON, B binary
--   b  body, u user attributes, y system attributes: bytes that nobody here looks into
--   x  the newest 8 transactions, newest first: 8 bytes of id, 8 bytes of cas
-- Fields of a shard's hash
--   n  newest seqno, inc  incarnation, armed  somebody waits for the bell, c:<cid>  living documents of a collection
-- Member of by_seq: format byte 1, state, <cid>:<id>

local TRANSACTION_BYTES = 16
local REMEMBERED = 8 * TRANSACTION_BYTES

local function next_seqno(meta)
  return string.format('%.0f', redis.call('HINCRBY', meta, 'n', 1))
end

-- The cas that a transaction led to, or nil when the document does not remember it.
local function remembered(transactions, id)
  local at = transactions:find(id, 1, true)
  while at and at % TRANSACTION_BYTES ~= 1 do
    at = transactions:find(id, at + 1, true)
  end
  return at and string.format('%.0f', struct.unpack('>I8', transactions:sub(at + 8, at + 15)))
end

local function remember(transactions, id, seqno)
  return id .. struct.pack('>I8', tonumber(seqno)) .. transactions:sub(1, REMEMBERED - TRANSACTION_BYTES)
end

-- Moves the row of a document to the end of the order; from is its former state, or nil when it is new.
local function move(order, ref, from, to, seqno)
  if from and from ~= to then
    redis.call('ZREM', order, '1' .. from .. ref)
  end
  redis.call('ZADD', order, seqno, '1' .. to .. ref)
end

-- Wakes the readers of a shard. They wait again only after they have armed the bell again.
local function ring(meta, seqno)
  redis.call('HDEL', meta, 'armed')
  redis.call('PUBLISH', 'mr:bell', meta:match('{(.*)}') .. ':' .. seqno)
end
