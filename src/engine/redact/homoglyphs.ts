/**
 * Letters of other scripts that look like Latin ones: confusables of Unicode Technical Standard 39. The skeleton of the
 * standard is not used, for two reasons: it maps Latin letters, too ("m" to "rn", "I" to "l"), while stored hashes of
 * erased people are of unmapped Latin letters; and each letter here replaces one UTF-16 unit by another, so that
 * offsets stay valid. Fullwidth and mathematical letters are missing, because NFKD folding maps them.
 */
const LOOKS_LIKE: Record<string, string> = {
  // Cyrillic
  ...pairs('АВЕЅІЈКМНОРСТУХҮԌԚԜҺӀѴаеѕіјкмнорстухүԍԛԝһӏѵԁвьг', 'ABESIJKMHOPCTYXYGQWHIVaesijkmhopctyxygqwhlvdbbr'),
  // Greek
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺϜαικνορυχγϳϲ', 'ABEZHIKMNOPTYXCMFaikvopuxyjc'),
  // Armenian
  ...pairs('ՏՍՕԼօսոհզցյլ', 'SUOLounhqgjl'),
  // Cherokee
  ...pairs('ᎪᏴᏟᎠᎬᎻᏆᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᎽᏃ', 'ABCDEHIJKLMPRSTVWYZ'),
  // Latin letters outside the alphabet, and small capitals
  ...pairs('ɑɡɩƖĸɴʀʙɢʜʟʏᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢ', 'agiIknrbghlyacdejkmoptuvwz'),
}

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter, at) => [letter, latin.charAt(at)]))
}

const LOOKALIKE = new RegExp(`[${Object.keys(LOOKS_LIKE).join('')}]`, 'g')

/** Replaces letters of other scripts by the Latin letters they look like; offsets stay valid. */
export function replaceHomoglyphs(text: string): string {
  return text.replaceAll(LOOKALIKE, (letter) => LOOKS_LIKE[letter] as string)
}

/** A name as it is written and, where that differs, with its homoglyphs replaced. */
export function spellingsOfName(name: string): string[] {
  return [...new Set([name, replaceHomoglyphs(name)])]
}
