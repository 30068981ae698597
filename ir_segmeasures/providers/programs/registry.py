"""The table of benchmarks' own programs."""

from ir_segmeasures.providers.programs.answers import CHARADES_STA, CHUNKING_EVALUATION, LEGALBENCHRAG, TIMELENS
from ir_segmeasures.providers.programs.campaigns import ANCHORING, INEX_EVAL, SAMPLE_EVAL, SH_EVAL, TRECGEN2007
from ir_segmeasures.providers.programs.moments import ACTIVITYNET, EGO4D_NLQ, TVR, TVR_RANKING
from ir_segmeasures.providers.programs.qvhighlights import CASTELLA, QVHIGHLIGHTS, SOCCER_GMR

PROGRAMS = {program.name: program for program in (
    QVHIGHLIGHTS, CASTELLA, CHARADES_STA, TIMELENS, EGO4D_NLQ, ACTIVITYNET, SOCCER_GMR, TVR, TVR_RANKING, SH_EVAL,
    ANCHORING, INEX_EVAL, TRECGEN2007, SAMPLE_EVAL, CHUNKING_EVALUATION, LEGALBENCHRAG)}
