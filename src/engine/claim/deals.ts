// How deals are worded, from the side of each party. See `Frame` in match.ts for the notation.
import type { DealRole } from '../signals.ts'
import { type Row, type Wording, wording } from './wording.ts'

const PRICE: readonly Row[] = [
  ['anyone', 'for|worth {sum}', ' for {sum}'],
  ['anyone', 'valued at {sum}', ' for {sum}'],
]

export const ACQUISITION: Readonly<Record<DealRole, Wording>> = {
  acquirer: wording(
    [
      ['company', '<take> … <stake> in {org}', 'take~ a stake in {org}'],
      ['company', '<acquire> of? {org}', 'acquire~ {org}'],
      ['anyone', '{actor} <be>? <be>? <acquired> by {self}', 'acquire~ {actor}'],
      ['company', '<snaps> up|out? {org}', 'acquire~ {org}'],
      ['company', 'takes|took|taken|taking over {org}', 'acquire~ {org}'],
      ['company', 'takes|took|taken|acquires|acquired|buys|bought {percentage} of {org}', 'take~ a stake in {org}'],
      ['company', 'pays|paid|paying|pay {sum} for {org}', 'acquire~ {org} for {sum}'],
      ['company', '<sign> … to acquire|buy|purchase {org}', 'agrees to acquire {org}'],
      ['involved', 'with|through … acquisition of {org}', 'acquire~ {org}'],
      ['company', '<buys> {property}', 'acquire~ {property}'],
      ['company', '<purchase> of {property}', 'acquire~ {property}'],
      ['company', 'acquire|buy|purchase {infinitive} {property}', 'acquire~ {property}'],
      ['involved', 'with|of|through|by acquisition|acquiring of? {org}', 'acquire~ {org}'],
    ],
    PRICE,
  ),
  acquired: wording(
    [
      ['company', '<acquired> by {actor}', 'be~ acquired by {actor}'],
      ['company', 'sold to {actor}', 'be~ acquired by {actor}'],
      ['anyone', '<purchase> of {self} by {actor}', 'be~ acquired by {actor}'],
      ['other', '<acquire> of? {self}', 'be~ acquired by {actor}'],
      ['other', '<snaps> up|out? {self}', 'be~ acquired by {actor}'],
      ['other', 'takes|took|taken|taking over {self}', 'be~ acquired by {actor}'],
      ['other', 'pays|paid|paying|pay {sum} for {self}', 'be~ acquired by {actor} for {sum}'],
      ['company', 'became|becomes|become part of {actor}', 'be~ acquired by {actor}'],
      ['company', 'goes|went to {actor}', 'be~ acquired by {actor}'],
      ['other', '<sign> … to acquire|buy|purchase {self}', 'is to be acquired by {actor}'],
      ['other', '<take> … <stake> in {self}', 'sell~ a stake to {actor}'],
      ['other', 'with|through … acquisition of {self}', 'be~ acquired by {actor}'],
    ],
    PRICE,
  ),
  seller: wording(
    [
      ['company', '<sells> {property} to {actor}', 'sell~ {property} to {actor}'],
      ['company', '<sell> … to {actor}', 'sell~ a business to {actor}'],
      ['other', '<buys> {property} from {self}', 'sell~ {property} to {actor}'],
      ['other', '<acquire> … from {self}', 'sell~ a business to {actor}'],
      ['company', '<sells> {property}', 'sell~ {property}'],
      ['company', 'sale of {property}', 'sell~ {property}'],
    ],
    PRICE,
  ),
  merging: wording([
    ['anyone', '{self} and {actor} announced? plan|plans|agreed|agree to? <merge>', 'be~ to merge with {actor}'],
    ['company', '<merge> with {actor}', 'merge~ with {actor}'],
    ['company', 'merger with {actor}', 'merge~ with {actor}'],
    ['other', '<merge> with {self}', 'merge~ with {actor}'],
    ['other', 'merger with {self}', 'merge~ with {actor}'],
    ['anyone', 'merger of|between {self} and {actor}', 'merge~ with {actor}'],
    ['anyone', 'merger of|between {actor} and {self}', 'merge~ with {actor}'],
    ['anyone', '{self} , and {actor} … merger|merge|merged|combination', 'merge~ with {actor}'],
    ['anyone', '{free} {actor} , and {self} … merger|merge|merged|combination', 'merge~ with {actor}'],
    ['company', 'combination|combines|combine agreement? with {actor}', 'merge~ with {actor}'],
  ]),
}
