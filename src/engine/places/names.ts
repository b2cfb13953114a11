// Names of states and cities beside those of the data set, and names for several of them together.

/** "area: names" and "area/city: names"; the city as the data set calls it. */
const FURTHER_NAMES = `
DE.01: baden wurttemberg|baden wuerttemberg|bw
DE.07: nrw|north rhine westfalia|northrhine westphalia
DE.12: mecklenburg western pomerania
DE.16: land berlin
US.CA: calif
US.DC: washington dc|d c
US.NY/New York City: new york|nyc|new york ny|new york metropolitan
US.CA/San Francisco: sf|san fran|san francisco bay
US.CA/Los Angeles: la
US.PA/Philadelphia: philly
US.UT/Salt Lake City: salt lake
AT.09/Vienna: wien
AT.07: tirol
BE.BRU/Brussels: bruxelles|brussel
BE.BRU: brussels
BE.VLG: vlaanderen|flandern
BE.WAL: wallonie
BE.VLG/Gent: ghent
BE.VLG/Brugge: bruges
BE.WAL/Liège: luik
CH.BS: basel stadt
CH.GR: graubunden|graubuenden
CH.SG: st gallen|sankt gallen
CH.SG/Sankt Gallen: saint gallen
CH.BE/Bern: berne
CH.GE/Geneva: genf
CH.LU/Luzern: lucerne
CH.ZH/Zürich: zuerich
CZ.52/Prague: praha
DE.02/Munich: munchen|muenchen
DE.02/Nuremberg: nuernberg
DE.05/Frankfurt am Main: frankfurt|frankfurt main|frankfurt a m
DE.06/Hannover: hanover
DE.07/Köln: cologne|koeln
DK.17/Copenhagen: kobenhavn|kopenhagen
DK.18/Århus: aarhus
ES.51/Sevilla: seville
ES.54: castilla la mancha
ES.55: castilla y leon|castile and leon
ES.56: cataluna|catalunya
ES.60: comunidad valenciana|valencian community
FI.01/Helsinki: helsingfors
FR.11: ile de france|paris region|greater paris
FR.28: normandie
FR.75: nouvelle aquitaine
FR.94: corse
FR.93: paca|provence alpes cote dazur
GB.ENG/Kingston upon Hull: hull
GR.ESYE31/Athens: athen
IN.07/New Delhi: delhi ncr
IN.19/Bengaluru: bangalore
IN.16/Mumbai: bombay
IT.01: abruzzi
IT.09/Milan: milano|mailand
IT.12/Turin: torino
IT.07/Rome: roma
IT.04/Naples: napoli
IT.16/Florence: firenze
IT.20/Venice: venezia
IT.08/Genoa: genova
IT.10: marche
IT.17: south tyrol|sudtirol|trentino
NL.07: noord holland
NL.11/The Hague: den haag|s gravenhage
PL.78/Warsaw: warszawa
PL.77/Kraków: cracow
PT.14/Lisbon: lisboa
PT.17/Porto: oporto
RO.10/Bucharest: bucuresti
RU.48/Moscow: moskva
SE.28/Gothenburg: goeteborg
UA.12/Kyiv: kiev
CA.10/Québec: quebec city
VN.79/Ho Chi Minh City: saigon|hcmc
MX.09/Mexico City: ciudad de mexico|cdmx
BR.27/São Paulo: sampa
IL.05/Tel Aviv: tel aviv yafo
CN.22/Beijing: peking
`

/** Several states or cities under one name. */
const GROUPS = `
midwest|us midwest|midwestern us|midwestern united states: US.IL US.IN US.IA US.KS US.MI US.MN US.MO US.NE US.ND US.OH US.SD US.WI
new england: US.CT US.ME US.MA US.NH US.RI US.VT
west coast|us west coast: US.CA US.OR US.WA
east coast|us east coast: US.ME US.NH US.MA US.RI US.CT US.NY US.NJ US.PA US.DE US.MD US.DC US.VA US.NC US.SC US.GA US.FL
pacific northwest: US.OR US.WA
us northeast|northeastern us|northeastern united states: US.CT US.ME US.MA US.NH US.RI US.VT US.NY US.NJ US.PA
us southeast|southeastern us|southeastern united states: US.AL US.FL US.GA US.KY US.MS US.NC US.SC US.TN US.VA US.WV US.AR US.LA
us southwest|southwestern us: US.AZ US.NM US.OK US.TX
tri state area|new york tri state area: US.NY US.NJ US.CT
yorkshire: GB.ENG/Leeds GB.ENG/Sheffield GB.ENG/Bradford GB.ENG/York GB.ENG/Kingston upon Hull GB.ENG/Huddersfield GB.ENG/Wakefield GB.ENG/Doncaster GB.ENG/Rotherham GB.ENG/Barnsley GB.ENG/Halifax GB.ENG/Harrogate GB.ENG/Middlesbrough GB.ENG/Scarborough
bay area|san francisco bay|san francisco bay area|sf bay area|silicon valley: US.CA/San Francisco US.CA/Oakland US.CA/San Jose US.CA/Palo Alto US.CA/Mountain View US.CA/Sunnyvale US.CA/Santa Clara US.CA/Menlo Park US.CA/Redwood City US.CA/Cupertino US.CA/San Mateo US.CA/Fremont US.CA/Berkeley US.CA/Burlingame US.CA/South San Francisco US.CA/Foster City US.CA/Milpitas US.CA/Emeryville US.CA/San Carlos US.CA/Campbell US.CA/Los Gatos US.CA/Pleasanton US.CA/San Ramon US.CA/Hayward US.CA/Walnut Creek
`

export type Target = { area: string; city: string | null }

/** Where a name is said to be: "US.CA/San Jose". */
const target = (text: string): Target => {
  const [area = '', city] = text.split('/')
  return { area, city: city ?? null }
}

const lines = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(': ') as [string, string])

export const furtherNames = (): { target: Target; names: string[] }[] =>
  lines(FURTHER_NAMES).map(([where, names]) => ({ target: target(where), names: names.split('|') }))

/** Cities of several words are kept together by the area that begins each. */
export const groups = (): { names: string[]; targets: Target[] }[] =>
  lines(GROUPS).map(([names, targets]) => ({
    names: names.split('|'),
    targets: targets.split(/ (?=[A-Z]{2}\.)/).map(target),
  }))
