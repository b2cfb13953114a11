/**
 * Letters of other scripts that look like Latin ones, in the sense of the confusables of Unicode Technical Standard 39. A table of
 * our own, for two reasons. The skeleton of the standard maps Latin letters, too ("m" to "rn", "I" to "l"), and hashes of
 * people erased earlier are of their Latin letters as they are. And each letter here is one UTF-16 unit for another, so that
 * positions in a text stay what they are. Fullwidth and mathematical letters are not here: folding by NFKD maps them.
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

/** A text with Latin letters for those of other scripts that look like them; everything stays at its position. */
export function replaceHomoglyphs(text: string): string {
  return text.replaceAll(LOOKALIKE, (letter) => LOOKS_LIKE[letter] as string)
}

/** A name as it is written, and as it looks in Latin letters where that is not the same. */
export function spellingsOfName(name: string): string[] {
  return [...new Set([name, replaceHomoglyphs(name)])]
}
