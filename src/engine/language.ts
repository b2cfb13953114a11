// Is a text English? Function words of the common European languages are counted in the first words of the text;
// other scripts are seen from their letters.

const ENGLISH = 'the of and to in for with is that on by as are from has will its this an be at it was have our which'
const OTHERS = [
  'de la que el en los las del por para con una su como más se ha es y un al lo',
  'le les des et du une dans pour est que sur avec par qui au aux plus ses son la de en',
  'der die und das den von zu mit für auf ist im dem nicht ein eine sich des auch als bei',
  'och att det som en på är av för med till den ett inte har om de i',
  'di il che la e per un con del della sono le una dei nel gli alla',
  'de het een en van te dat op zijn voor met niet aan er om ook',
  'o que e do da em um para com não uma os no se na por mais as dos',
  'og i det er til en av på som for med den har ikke de',
  'w i z na do się nie że jest oraz dla od po',
]

const WORDS_READ = 400

const english = new Set(ENGLISH.split(' '))
const others = OTHERS.map((words) => new Set(words.split(' ').filter((word) => !english.has(word))))

/** True when the text reads as English. Too little text to tell counts as English. */
export function isEnglish(text: string): boolean {
  // The start may be a dateline or an English headline over a translated body: the middle is read too.
  const middle = text.length >> 1
  const parts = text.length > 6000 ? [text.slice(0, 2500), text.slice(middle, middle + 2500)] : [text.slice(0, 5000)]
  return parts.every(partIsEnglish)
}

function partIsEnglish(part: string): boolean {
  let words = 0
  let letters = 0
  let foreignLetters = 0
  let englishWords = 0
  const otherWords = new Array<number>(others.length).fill(0)
  let start = -1
  for (let i = 0; i <= part.length && words < WORDS_READ; i++) {
    const code = i < part.length ? part.charCodeAt(i) : 32
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0xc0
    const isPunctuation = code >= 0x2000 && code <= 0x2bff
    if (isLetter && !isPunctuation) {
      letters++
      if (code > 0x24f) foreignLetters++
      if (start < 0) start = i
      continue
    }
    if (start < 0) continue
    if (i - start <= 5) {
      const word = part.slice(start, i).toLowerCase()
      if (english.has(word)) englishWords++
      else for (let k = 0; k < others.length; k++) if (others[k]?.has(word)) (otherWords[k] as number)++
    }
    words++
    start = -1
  }
  if (letters > 20 && foreignLetters * 3 > letters) return false
  if (words < 8) return true
  const strongest = Math.max(...otherWords)
  // English prose has a function word of this list in about every third word; names and tables have fewer.
  return strongest <= englishWords * 0.8 || (strongest < 4 && strongest <= words * 0.12)
}
