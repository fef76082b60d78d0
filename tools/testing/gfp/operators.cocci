// SPDX-License-Identifier: GPL-2.0
// Where generated mutants change a file: each match is printed as a line of JSON,
// [rule, function, span, ...], a span being [line, column, line, column] of what was
// matched, first to behind its last character.  generated.py says what is made of it.

@initialize:python@
@@
import json

def show(rule, *lists):
    for places in zip(*lists):
        print("MATCH " + json.dumps([rule, places[0].current_element] + [
            [int(p.line), int(p.column), int(p.line_end), int(p.column_end)] for p in places]))

@if_condition@
expression C;
statement S;
position c;
@@
if (C@c) S

@script:python@
c << if_condition.c;
@@
show("condition", c)

@loop_condition@
expression C;
statement S;
position c;
@@
while (C@c) S

@script:python@
c << loop_condition.c;
@@
show("condition", c)

@chosen_condition@
expression C, X, Y;
position c;
@@
C@c ? X : Y

@script:python@
c << chosen_condition.c;
@@
show("condition", c)

@logical@
expression A, B;
binary operator op = {&&,||};
position a, o, b;
@@
A@a op@o B@b

@script:python@
a << logical.a; o << logical.o; b << logical.b;
@@
show("logical", a, o, b)

@comparison@
expression A, B;
binary operator op = {<,>,<=,>=,==,!=};
position a, o, b;
@@
A@a op@o B@b

@script:python@
a << comparison.a; o << comparison.o; b << comparison.b;
@@
show("comparison", a, o, b)

@bits@
expression A, B;
binary operator op = {&,|};
position a, o, b;
@@
A@a op@o B@b

@script:python@
a << bits.a; o << bits.o; b << bits.b;
@@
show("bits", a, o, b)

@masking@
expression A, B;
assignment operator op = {|=,&=};
position a, e;
@@
A@a op B;@e

@script:python@
a << masking.a; e << masking.e;
@@
show("assignment", a, e)

@call@
identifier f;
position a, e;
@@
f@a(...);@e

@script:python@
a << call.a; e << call.e;
@@
show("call", a, e)

@jump@
identifier l;
position a, e;
@@
goto@a l;@e

@script:python@
a << jump.a; e << jump.e;
@@
show("goto", a, e)
