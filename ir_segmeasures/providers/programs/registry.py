"""The table of benchmarks' own programs."""

from ir_segmeasures.providers.programs.activitynet import ACTIVITYNET
from ir_segmeasures.providers.programs.answers import CHARADES_STA, TIMELENS
from ir_segmeasures.providers.programs.chunks import CHUNKING_EVALUATION, LEGALBENCHRAG
from ir_segmeasures.providers.programs.ego4d_nlq import EGO4D_NLQ
from ir_segmeasures.providers.programs.genomics import TRECGEN2007
from ir_segmeasures.providers.programs.inex import INEX_EVAL
from ir_segmeasures.providers.programs.qvhighlights import CASTELLA, QVHIGHLIGHTS
from ir_segmeasures.providers.programs.search_and_hyperlinking import ANCHORING, SH_EVAL
from ir_segmeasures.providers.programs.soccer_gmr import SOCCER_GMR
from ir_segmeasures.providers.programs.trecvid import SAMPLE_EVAL
from ir_segmeasures.providers.programs.tvr import TVR
from ir_segmeasures.providers.programs.tvr_ranking import TVR_RANKING

PROGRAMS = {program.name: program for program in (
    QVHIGHLIGHTS, CASTELLA, CHARADES_STA, TIMELENS, EGO4D_NLQ, ACTIVITYNET, SOCCER_GMR, TVR, TVR_RANKING, SH_EVAL,
    ANCHORING, INEX_EVAL, TRECGEN2007, SAMPLE_EVAL, CHUNKING_EVALUATION, LEGALBENCHRAG)}
