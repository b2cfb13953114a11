"""The encoder and its heads."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.n1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.o = nn.Linear(width, width)
        self.n2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)

    def forward(self, x, bias, dropout):
        batch, length, width = x.shape
        shape = (batch, length, 3, self.heads, width // self.heads)
        q, k, v = self.qkv(self.n1(x)).view(shape).permute(2, 0, 3, 1, 4).unbind(0)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + F.dropout(self.o(a.transpose(1, 2).reshape(batch, length, width)), dropout, self.training)
        return x + F.dropout(self.down(F.gelu(self.up(self.n2(x)))), dropout, self.training)


class Encoder(nn.Module):
    """Pre-norm transformer with learned positions.

    A piece's vector is its own row plus its word vector, lifted by one matrix that all words share: a verb that the
    corpus never uses still lies beside its neighbours, and moves with them while they are trained.
    """

    def __init__(self, vectors, width=384, layers=6, heads=6, inner=1536, positions=512):
        super().__init__()
        pieces, size = vectors.shape
        self.register_buffer('vectors', vectors, persistent=False)
        self.lift = nn.Linear(size, width, bias=False)
        self.tok = nn.Embedding(pieces, width)
        self.pos = nn.Embedding(positions, width)
        self.ne = nn.LayerNorm(width)
        self.blocks = nn.ModuleList([Block(width, heads, inner) for _ in range(layers)])
        self.nf = nn.LayerNorm(width)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def table(self):
        return self.tok.weight + self.lift(self.vectors)

    def forward(self, ids, mask=None, dropout=0.0, table=None):
        length = ids.shape[1]
        table = self.table() if table is None else table
        x = F.dropout(self.ne(F.embedding(ids, table) + self.pos.weight[:length]), dropout, self.training)
        bias = None if mask is None else (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for block in self.blocks:
            x = block(x, bias, dropout)
        return self.nf(x)


class MaskedWords(nn.Module):
    """Guesses the words that were hidden."""

    def __init__(self, encoder):
        super().__init__()
        pieces, width = encoder.tok.weight.shape
        self.encoder = encoder
        self.dense = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.bias = nn.Parameter(torch.zeros(pieces))
        self.replaced = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))

    def tell_replaced(self, ids, dropout=0.0):
        """At every piece, whether it stands there instead of the author's."""
        return self.replaced(self.encoder(ids, dropout=dropout)).squeeze(-1)

    def forward(self, ids, chosen, dropout=0.0):
        table = self.encoder.table()
        x = self.encoder(ids, dropout=dropout, table=table).reshape(-1, table.shape[1])[chosen]
        return F.linear(self.norm(F.gelu(self.dense(x))), table, self.bias)


class Reader(nn.Module):
    """Logits of the signals at every [S] and, for the whole window, at [CLS]; at every [S] also whether the sentence
    tells what the description before it says."""

    def __init__(self, encoder, signals, prior=0.03):
        super().__init__()
        width = encoder.tok.weight.shape[1]
        self.encoder = encoder
        self.sentence = nn.Linear(width, signals)
        self.document = nn.Linear(width, signals)
        self.described = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))
        bias = math.log(prior / (1 - prior))
        nn.init.constant_(self.sentence.bias, bias - 1)
        nn.init.constant_(self.document.bias, bias)
        nn.init.constant_(self.described[2].bias, bias)

    def forward(self, ids, mask, dropout=0.0):
        x = self.encoder(ids, mask, dropout)
        return self.sentence(x), self.document(x[:, 0]), self.described(x).squeeze(-1)


def start_from(encoder, old, tokenizer):
    """Takes over an encoder of the same sizes whose vocabulary is the first part of this one."""
    with torch.no_grad():
        known = old['tok.weight'].shape[0]
        rows = old['tok.weight'].float()
        vectors = encoder.vectors[:known]
        whole = vectors.abs().sum(1) > 0
        lift = torch.linalg.lstsq(vectors[whole], rows[whole]).solution
        encoder.lift.weight.copy_(lift.T)
        encoder.tok.weight.zero_()
        encoder.tok.weight[:known] = rows - vectors @ lift
        # A new word without a vector starts as the mean of the pieces it was split into.
        from tokenizers import Tokenizer
        narrow = Tokenizer.from_str(narrowed(tokenizer, known))
        for piece, i in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])[known:]:
            if encoder.vectors[i].abs().sum() == 0 and not piece.startswith('['):
                encoder.tok.weight[i] = rows[narrow.encode(piece, add_special_tokens=False).ids].mean(0)
        own = encoder.state_dict()
        encoder.load_state_dict({**own, **{k: v.float() for k, v in old.items() if k != 'tok.weight'}}, strict=False)


def narrowed(tokenizer, known):
    import json
    content = json.loads(tokenizer.to_str())
    content['model']['vocab'] = {k: v for k, v in content['model']['vocab'].items() if v < known}
    return json.dumps(content)
