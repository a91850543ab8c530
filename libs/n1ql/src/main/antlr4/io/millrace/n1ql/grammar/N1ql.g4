/**
 * N1QL. Written from the language's public documents. Keywords that the language itself lets stand for names are
 * listed under freeWord; every other keyword needs backticks to be a name.
 */
grammar N1ql;

options { caseInsensitive = true; }

@parser::members {
  /** Returns whether the next token is an i without a blank before it: .["name"]i is a field, .["name"] i has an alias. */
  private boolean isJoinedI() {
    Token next = _input.LT(1);
    return next.getText().equalsIgnoreCase("i") && next.getStartIndex() == _input.LT(-1).getStopIndex() + 1;
  }
}

statement: body ';'* EOF ;

body
  : explain
  | prepare
  | execute
  | query
  | insert
  | update
  | delete
  | merge
  | createIndex
  | dropIndex
  | buildIndex
  | createContainer
  | dropContainer
  | flush
  | createFunction
  | dropFunction
  | executeFunction
  | infer
  | advise
  ;

explain: EXPLAIN body ;
advise: ADVISE INDEX? body ;
prepare: PREPARE FORCE? (name (FROM | AS))? body ;
execute: EXECUTE (name | STRING) (USING expr)? ;
infer: INFER (KEYSPACE | COLLECTION)? keyspaceRef (WITH expr)? ;

// ---- queries

query: with? setExpr orderBy? paging* ;
setExpr
  : queryTerm                                                        # single
  | setExpr op=(UNION | INTERSECT | EXCEPT) all=ALL? setExpr         # combined
  ;
queryTerm: select | '(' query ')' | withSelect ;
withSelect: with select ;

with: WITH RECURSIVE? cte (',' cte)* ;
cte: name AS '(' (query | expr) ')' cycle? (OPTIONS expr)? ;
cycle: CYCLE expr (',' expr)* RESTRICT ;

select
  : SELECT (DISTINCT | ALL)? projection fromClause? let? where? groupBy? having? windowClause?
  | fromClause let? where? groupBy? having? windowClause? SELECT (DISTINCT | ALL)? projection
  ;

projection
  : raw=(RAW | ELEMENT | VALUE) expr (AS? name)? exclude?
  | projectTerm (',' projectTerm)* exclude?
  ;
projectTerm
  : '*'                       # starTerm
  | expr '.' '*'              # pathStarTerm
  | expr (AS? name)?          # exprTerm
  ;
exclude: EXCLUDE expr (',' expr)* ;

fromClause: FROM fromTerm ;
fromTerm: fromSimple joinTerm* ;
fromSimple
  : LATERAL? '(' query ')' AS? alias=name? useClause*                 # fromSubquery
  | LATERAL? keyspacePath (AS? alias=name)? useClause*                # fromKeyspace
  | LATERAL? expr (AS? alias=name)? useClause*                        # fromExpr
  ;

/** namespace:bucket.scope.collection, or an alias' path that only the analysis can tell from it; or a parameter. */
keyspacePath: (namespace=name ':')? name ('.' name)* | param ;

joinTerm
  : ',' fromSimple                                                    # commaJoin
  | joinType? JOIN fromSimple joinOn?                                 # join
  | joinType? NEST fromSimple joinOn?                                 # nest
  | joinType? (UNNEST | FLATTEN) expr (AS? name)?                     # unnest
  ;
joinType: INNER | LEFT OUTER? | RIGHT OUTER? ;
joinOn
  : ON PRIMARY? (KEY | KEYS) expr (FOR name)?
  | ON expr
  ;

useClause: USE useHint+ ;
useHint
  : PRIMARY? (KEY | KEYS) VALIDATE? expr
  | INDEX '(' (indexRef (',' indexRef)*)? ')'
  | HASH '(' (BUILD | PROBE) ')'
  | NL
  ;
indexRef: name usingIndex? | usingIndex ;

let: LET binding (',' binding)* ;
binding: name '=' expr ;
where: WHERE expr ;
groupBy: GROUP BY groupKey (',' groupKey)* (GROUP AS? name)? letting? | letting ;
groupKey: expr (AS? name)? ;
letting: LETTING binding (',' binding)* ;
having: HAVING expr ;
orderBy: ORDER BY sortTerm (',' sortTerm)* ;
sortTerm: expr (ASC | DESC)? (NULLS (FIRST | LAST))? ;
paging: (LIMIT | OFFSET) expr ;

windowClause: WINDOW windowDef (',' windowDef)* ;
windowDef: name AS '(' windowSpec ')' ;
windowSpec: base=name? (PARTITION BY expr (',' expr)*)? (ORDER BY sortTerm (',' sortTerm)*)? frame? ;
frame
  : unit=(ROWS | RANGE | GROUPS) (frameBound | BETWEEN frameBound AND frameBound)
    (EXCLUDE (CURRENT ROW | GROUP | TIES | NO OTHERS))?
  ;
frameBound: UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | value (PRECEDING | FOLLOWING) ;

// ---- changes

insert
  : verb=(INSERT | UPSERT) INTO keyspaceRef (AS? name)?
    ( ('(' PRIMARY? KEY ',' VALUE (',' OPTIONS)? ')')? valuesList (',' valuesList)*
    | '(' PRIMARY? KEY key=expr (',' VALUE val=expr)? (',' OPTIONS opt=expr)? ')' query
    )
    returning?
  ;
valuesList: VALUES? '(' expr ',' expr (',' expr)? ')' ;

update: UPDATE keyspaceRef (AS? name)? useClause* let? set? unset? where? paging* returning? ;
set: SET setItem (',' setItem)* ;
setItem: path '=' expr updateFor? ;
unset: UNSET unsetItem (',' unsetItem)* ;
unsetItem: path updateFor? ;
updateFor: (FOR comprehensionBinding (',' comprehensionBinding)*)+ (WHEN expr)? END ;

delete: DELETE FROM keyspaceRef (AS? name)? useClause* let? where? paging* returning? ;

merge
  : MERGE INTO keyspaceRef (AS? target=name)? useClause* USING fromSimple ON (PRIMARY? KEY)? expr let?
    mergeAction* paging* returning?
  ;
mergeAction
  : WHEN MATCHED THEN UPDATE set? unset? where?                       # mergeUpdate
  | WHEN MATCHED THEN DELETE where?                                   # mergeDelete
  | WHEN NOT MATCHED THEN INSERT mergeInsertBody where?               # mergeInsert
  ;
mergeInsertBody
  : '(' KEY? expr ',' VALUE? expr (',' OPTIONS? expr)? ')'
  | expr
  ;

returning: RETURNING projection ;

createIndex
  : CREATE PRIMARY INDEX (IF NOT EXISTS)? name? (IF NOT EXISTS)? ON keyspaceRef usingIndex? withOptions?     # createPrimary
  | CREATE INDEX (IF NOT EXISTS)? name (IF NOT EXISTS)? ON keyspaceRef '(' indexKey (',' indexKey)* ')'
      (PARTITION BY (HASH | KEY) '(' expr (',' expr)* ')')? where? usingIndex? withOptions?                  # createSecondary
  ;
indexKey: (ALL | DISTINCT | ALL DISTINCT | DISTINCT ALL)? ARRAY? expr (INCLUDE MISSING | ASC | DESC | MISSING)* ;
dropIndex
  : DROP PRIMARY INDEX (IF EXISTS)? ON keyspaceRef usingIndex?                                               # dropPrimary
  | DROP INDEX (IF EXISTS)? indexName=name (IF EXISTS)? ON keyspaceRef usingIndex?                           # dropOn
  | DROP INDEX (IF EXISTS)? keyspaceRef (IF EXISTS)? usingIndex?                                             # dropQualified
  ;
buildIndex: BUILD INDEX ON keyspaceRef '(' expr (',' expr)* ')' usingIndex? ;
usingIndex: USING (GSI | VIEW | FTS) ;
withOptions: WITH expr ;

createContainer: CREATE container (IF NOT EXISTS)? keyspaceRef (IF NOT EXISTS)? withOptions? ;
dropContainer: DROP container (IF EXISTS)? keyspaceRef (IF EXISTS)? ;
container: BUCKET | SCOPE | COLLECTION ;
createFunction
  : CREATE (OR REPLACE)? FUNCTION (IF NOT EXISTS)? functionPath '(' (variadic='...' | name (',' name)*)? ')'
    (IF NOT EXISTS)? functionBody
  ;
functionPath: (namespace=name ':')? name ('.' name)* ;
functionBody
  : LANGUAGE INLINE AS expr
  | (LANGUAGE INLINE)? '{' expr '}'
  | LANGUAGE JAVASCRIPT AS STRING (AT STRING)?
  ;
dropFunction: DROP FUNCTION (IF EXISTS)? functionPath (IF EXISTS)? ;
executeFunction: EXECUTE FUNCTION functionPath '(' (expr (',' expr)*)? ')' ;

flush: (FLUSH | TRUNCATE) (KEYSPACE | COLLECTION)? keyspaceRef ;

keyspaceRef: (namespace=name ':')? name ('.' name)* | param ;

// ---- expressions

expr
  : NOT expr                                                          # notExpr
  | expr AND expr                                                     # andExpr
  | expr OR expr                                                      # orExpr
  | predicate                                                         # predicateExpr
  ;

predicate
  : predicate IS NOT? what=(NULL | MISSING | VALUED | KNOWN | UNKNOWN)               # isPredicate
  | predicate IS NOT? DISTINCT FROM value                                             # distinctPredicate
  | predicate NOT? IN value                                                           # inPredicate
  | predicate NOT? WITHIN value                                                       # withinPredicate
  | predicate NOT? BETWEEN value AND value                                            # betweenPredicate
  | predicate NOT? LIKE value (ESCAPE value)?                                         # likePredicate
  | predicate op=('<' | '<=' | '>' | '>=') predicateOperand                           # orderPredicate
  | predicate op=('=' | '==' | '!=' | '<>') predicateOperand                          # equalPredicate
  | EXISTS predicate                                                                  # existsPredicate
  | value                                                                             # valuePredicate
  ;
predicateOperand: NOT predicateOperand | value ;

value
  : '-' value                                                         # negateValue
  | '+' value                                                         # plusValue
  | value op=('*' | '/' | '%' | DIV | MOD) value                      # multiplyValue
  | value op=('+' | '-') value                                        # addValue
  | value '||' value                                                  # concatValue
  | path                                                              # pathValue
  ;

path
  : path '.' fieldStep                                                # fieldPath
  | path '[' expr elementEnd                                          # elementPath
  | path '[' from=expr? ':' to=expr? elementEnd                       # slicePath
  | path '[' '*'? elementEnd                                          # starPath
  | primary                                                           # primaryPath
  ;
elementEnd: ']' ({isJoinedI()}? joined=IDENTIFIER)? ;
fieldStep: name | QUOTED_I | '[' expr ']' ({isJoinedI()}? ignoreCase=IDENTIFIER)? | anyWord ;

primary
  : literal                                                           # literalPrimary
  | param                                                             # paramPrimary
  | function                                                          # functionPrimary
  | QUOTED_I                                                          # nameIgnoringCasePrimary
  | name                                                              # namePrimary
  | '(' query ')'                                                     # subqueryPrimary
  | '(' expr ')'                                                      # parenthesesPrimary
  | '[' (expr (',' expr)*)? ']'                                       # arrayPrimary
  | '{' (member (',' member)*)? '}'                                   # objectPrimary
  | CASE operand=expr? (WHEN expr THEN expr)+ (ELSE elseExpr=expr)? END  # casePrimary
  | collection                                                        # collectionPrimary
  | SELF                                                              # selfPrimary
  ;
member: expr ':' expr | expr ;
literal: STRING | INTEGER | DECIMAL | TRUE | FALSE | NULL | MISSING ;
param: NAMED | POSITIONAL | '?' | ':' (name | anyWord) ;

collection
  : quantifier=(ANY | SOME) (AND EVERY)? comprehensionBinding (',' comprehensionBinding)* SATISFIES expr END   # anyCollection
  | EVERY comprehensionBinding (',' comprehensionBinding)* SATISFIES expr END                                  # everyCollection
  | kind=(ARRAY | FIRST) expr (FOR comprehensionBinding (',' comprehensionBinding)* )+ (WHEN expr)? END        # arrayCollection
  | OBJECT nameExpr=expr ':' valueExpr=expr (FOR comprehensionBinding (',' comprehensionBinding)* )+ (WHEN whenExpr=expr)? END  # objectCollection
  ;
comprehensionBinding: name (':' name)? (IN | WITHIN) expr ;

function
  : functionName '(' (ALL | distinct=DISTINCT)? (star='*' | expr (',' expr)*)? ')' filter? nthFrom? nulls? over?
  ;
filter: FILTER '(' WHERE expr ')' ;
nthFrom: FROM (FIRST | LAST) ;
nulls: (RESPECT | IGNORE) NULLS ;
over: OVER (name | '(' windowSpec ')') ;
functionName: name ('.' name)* | FIRST | REPLACE ;

name: IDENTIFIER | QUOTED | freeWord ;

freeWord
  : ACTION | ADVISE | AT | BUCKET | BUILD | COLLECTION | CURRENT | CYCLE | EXCLUDE | FILTER | FLUSH | FOLLOWING | FORCE | FTS | FUNCTION | GROUPS
  | GSI | HASH | IGNORE
  | INCLUDE | INLINE | JAVASCRIPT | KEYSPACE | LANGUAGE | NL | NO | NULLS | OPTIONS | OTHERS | PRECEDING | PROBE | RANGE | REPLACE | RESPECT | RESTRICT | ROW
  | ROWS | SCOPE | TIES | TRUNCATE | UNBOUNDED | VALIDATE | VIEW | WINDOW | TYPE | PARTITION | OVER | DIV | MOD | RECURSIVE
  ;

/** Behind a dot every word is a name. */
anyWord
  : ALL | AND | ANY | ARRAY | AS | ASC | BETWEEN | BY | CASE | CREATE | DELETE | DESC | DISTINCT | DROP | ELEMENT | ELSE | END
  | ESCAPE | EVERY | EXCEPT | EXECUTE | EXISTS | EXPLAIN | FALSE | FIRST | FLATTEN | FOR | FROM | GROUP | HAVING | IF | IN
  | INDEX | INFER | INNER | INSERT | INTERSECT | INTO | IS | JOIN | KEY | KEYS | KNOWN | LAST | LATERAL | LEFT | LET | LETTING
  | LIKE | LIMIT | MATCHED | MERGE | MISSING | NEST | NOT | NULL | OBJECT | OFFSET | ON | OR | ORDER | OUTER | PREPARE
  | PRIMARY | RAW | RETURNING | RIGHT | SATISFIES | SELECT | SELF | SET | SOME | THEN | TRUE | UNION | UNKNOWN | UNNEST | UNSET
  | UPDATE | UPSERT | USE | USING | VALUE | VALUED | VALUES | WHEN | WHERE | WITH | WITHIN
  ;

// ---- words

ACTION: 'action';
ADVISE: 'advise';
ALL: 'all';
AND: 'and';
ANY: 'any';
ARRAY: 'array';
AS: 'as';
ASC: 'asc';
AT: 'at';
BETWEEN: 'between';
BUCKET: 'bucket';
BUILD: 'build';
BY: 'by';
CASE: 'case';
COLLECTION: 'collection';
CREATE: 'create';
CURRENT: 'current';
CYCLE: 'cycle';
DELETE: 'delete';
DESC: 'desc';
DISTINCT: 'distinct';
DIV: 'div';
DROP: 'drop';
ELEMENT: 'element';
ELSE: 'else';
END: 'end';
ESCAPE: 'escape';
EVERY: 'every';
EXCEPT: 'except';
EXCLUDE: 'exclude';
EXECUTE: 'execute';
EXISTS: 'exists';
EXPLAIN: 'explain';
FALSE: 'false';
FILTER: 'filter';
FIRST: 'first';
FLATTEN: 'flatten';
FLUSH: 'flush';
FOLLOWING: 'following';
FOR: 'for';
FORCE: 'force';
FROM: 'from';
FTS: 'fts';
FUNCTION: 'function';
GROUP: 'group';
GROUPS: 'groups';
GSI: 'gsi';
HASH: 'hash';
HAVING: 'having';
IF: 'if';
IGNORE: 'ignore';
IN: 'in';
INCLUDE: 'include';
INDEX: 'index';
INFER: 'infer';
INLINE: 'inline';
INNER: 'inner';
INSERT: 'insert';
INTERSECT: 'intersect';
INTO: 'into';
IS: 'is';
JAVASCRIPT: 'javascript';
JOIN: 'join';
KEY: 'key';
KEYS: 'keys';
KEYSPACE: 'keyspace';
KNOWN: 'known';
LANGUAGE: 'language';
LAST: 'last';
LATERAL: 'lateral';
LEFT: 'left';
LET: 'let';
LETTING: 'letting';
LIKE: 'like';
LIMIT: 'limit';
MATCHED: 'matched';
MERGE: 'merge';
MISSING: 'missing';
MOD: 'mod';
NEST: 'nest';
NL: 'nl';
NO: 'no';
NOT: 'not';
NULL: 'null';
NULLS: 'nulls';
OBJECT: 'object';
OFFSET: 'offset';
ON: 'on';
OPTIONS: 'options';
OR: 'or';
ORDER: 'order';
OTHERS: 'others';
OUTER: 'outer';
OVER: 'over';
PARTITION: 'partition';
PRECEDING: 'preceding';
PREPARE: 'prepare';
PRIMARY: 'primary';
PROBE: 'probe';
RANGE: 'range';
RAW: 'raw';
RECURSIVE: 'recursive';
REPLACE: 'replace';
RESPECT: 'respect';
RESTRICT: 'restrict';
RETURNING: 'returning';
RIGHT: 'right';
ROW: 'row';
ROWS: 'rows';
SATISFIES: 'satisfies';
SCOPE: 'scope';
SELECT: 'select';
SELF: 'self';
SET: 'set';
SOME: 'some';
THEN: 'then';
TIES: 'ties';
TRUE: 'true';
TRUNCATE: 'truncate';
TYPE: 'type';
UNBOUNDED: 'unbounded';
UNION: 'union';
UNKNOWN: 'unknown';
UNNEST: 'unnest';
UNSET: 'unset';
UPDATE: 'update';
UPSERT: 'upsert';
USE: 'use';
USING: 'using';
VALIDATE: 'validate';
VALUE: 'value';
VALUED: 'valued';
VALUES: 'values';
VIEW: 'view';
WHEN: 'when';
WHERE: 'where';
WINDOW: 'window';
WITH: 'with';
WITHIN: 'within';

// ---- tokens

QUOTED_I: '`' (~'`' | '``')+ '`' 'i';
QUOTED: '`' (~'`' | '``')+ '`';
STRING: '"' (~["\\] | '\\' . | '""')* '"' | '\'' (~['\\] | '\\' . | '\'\'')* '\'';
DECIMAL: [0-9]+ '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT;
INTEGER: [0-9]+;
NAMED: [$@] [a-z_] [a-z0-9_]*;
POSITIONAL: [$@] [0-9]+;
IDENTIFIER: [a-z_\u0080-\uFFFE] [a-z0-9_$\u0080-\uFFFE]*;
fragment EXPONENT: 'e' [+\-]? [0-9]+;

SPACE: [ \t\r\n\f\u00A0]+ -> channel(HIDDEN);
BLOCK_COMMENT: '/*' .*? '*/' -> channel(HIDDEN);
LINE_COMMENT: ('--' | '#') ~[\r\n]* -> channel(HIDDEN);
OTHER: . ;
