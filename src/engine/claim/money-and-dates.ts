// Finds sums of money and dates anywhere in a sentence.
import { MONTH_PATTERN as MONTH_NAME, WEEKDAYS } from '../english/calendar.ts'
import { type Span, spanOf } from './span.ts'

const FIGURE = String.raw`\d[\d,.]{0,20}(?<=\d)\+?`
const SCALE = String.raw`(?:[ -]?(?:thousand|million|billion|trillion|crore|lakh|mln|mil|mio|mn|bn|tn|mm|[mbk])(?![\p{L}\p{N}]))?`
const SIGN = String.raw`(?:(?:US|CA|AU|NZ|HK|[CAS])?\$|€|£|¥|₹|Rs\.?)`
const CODE =
  '(?:USD|EUR|GBP|CHF|NOK|SEK|DKK|JPY|CNY|RMB|INR|CAD|AUD|NZD|SGD|HKD|AED|SAR|ZAR|BRL|PLN|CZK|HUF|ILS|KRW|TRY|MXN)'
const NAME = String.raw`(?:euros?|dollars?|pounds|francs|kronor|kroner|yen|yuan|rupees|zloty|zlotys|reais|rand)(?!\p{L})`

const MONEY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${SIGN} ?${FIGURE}${SCALE}|${CODE} ?${SIGN}?${FIGURE}${SCALE}|${FIGURE}${SCALE} (?:(?:U\.?S\.? |Canadian |Australian )?${NAME}|${CODE}(?!\p{L})))`,
  'giu',
)
/** A price, and the size of a market or a company, is not the sum of a deal. */
const OTHER_SUM_AFTER =
  /^(?: in total (?:\p{L}+ )?funding| in total since| to date|(?: and | to |[-–])[$€£]?[\d.]{1,10} (?:per|a) share|[- ]?(?:per|a|each)[ -](?:share|unit|month|year|user|barrel|ounce)|\/|[ -](?:(?:in|of|annual|annualized|recurring|total|net|gross|combined|the) ){0,3}(?:revenues?|sales|assets|aum|turnover|profit|income|ebitda|arr|endowment|backlog|valuation|mark|milestone|goal|target|market cap)|[ -](?:[\p{L}-]{1,20} ){0,2}(?:market|industry|sector|opportunity|economy))(?!\p{L})/iu
const OTHER_SUM_BEFORE =
  /(?:valuation of|(?<!deal |transaction |contract |order |agreement |acquisition )valued at|market cap(?:itali[sz]ation)? of|revenues? of|sales of|total(?:ing)? (?:of|to)|total (?:funding|capital|raised|investment)(?: to date)? (?:of|to)|approach(?:es|ing)?|near(?:s|ing)|target of|goal of|to date to|priced? (?:at|of)|total to|top|reach|exceed|surpass|hit) (?:about |approximately |over |more than )?$/i

/** Every sum of money, whatever its purpose. */
export function findMoney(text: string): Span[] {
  return [...text.matchAll(MONEY)].map(({ 0: sum, index }) => spanOf({ text }, index, index + sum.length))
}

/** The sums that may be the value of the event, in order. */
export function findDealSums(text: string): Span[] {
  return [...text.matchAll(MONEY)]
    .filter(({ 0: sum, index }) => {
      const end = index + sum.length
      return (
        // "$0.142" is a price.
        !/^\D{0,4}0\./.test(sum) &&
        !OTHER_SUM_AFTER.test(text.slice(end, end + 80)) &&
        !OTHER_SUM_BEFORE.test(text.slice(Math.max(0, index - 40), index))
      )
    })
    .map(({ 0: sum, index }) => spanOf({ text }, index, index + sum.length))
}

const MONTH = String.raw`${MONTH_NAME}\.?`
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`

/** The most precise first. */
const DATES = [
  String.raw`${MONTH} ${DAY},? \d{4}|${DAY} ${MONTH},? \d{4}|\d{4}-\d{2}-\d{2}`,
  String.raw`${MONTH} ${DAY}|${DAY} ${MONTH}|${MONTH},? (?:of )?\d{4}`,
  String.raw`(?:the )?(?:first|second|third|fourth) (?:quarter|half)(?: of \d{4})?|Q[1-4],? \d{4}|(?:early|mid|late|spring|summer|autumn|fall|winter)[ -](?:of )?\d{4}`,
  `(?:next|last|this|later this|earlier this) (?:week|month|quarter|year|spring|summer|autumn|fall|winter)|on (?:${WEEKDAYS.join('|')})`,
  String.raw`(?<=\b(?:in|by|during|of) )(?:19|20)\d\d`,
  'today|yesterday|tomorrow',
].map((source) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'giu'))
const PAST_OF_THE_COMPANY = /(?:founded|established|since|incorporated|formed|started)(?: in| on)? $/i

/** The first date phrase from a position on, or null. */
export function findDatePhrase(text: string, from: number): Span | null {
  for (const pattern of DATES) {
    for (const { 0: date, index } of text.matchAll(pattern)) {
      if (index < from || PAST_OF_THE_COMPANY.test(text.slice(Math.max(0, index - 20), index))) continue
      return spanOf({ text }, index, index + date.length)
    }
  }
  return null
}
