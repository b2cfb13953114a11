// The countries of ISO 3166 with their codes, the names people write, and the regions they belong to.
import { foldText } from './titles/words.ts'

type Region = 'europe' | 'middle east' | 'africa' | 'asia' | 'oceania' | 'north america' | 'latin america' | 'none'

/** By region: two-letter code, three-letter code, English name, other names. */
const LIST: Record<Region, string> = {
  europe: `AX ALA Åland Islands; AL ALB Albania; AD AND Andorra; AT AUT Austria|österreich; BY BLR Belarus; BE BEL Belgium;
    BA BIH Bosnia and Herzegovina|bosnia; BG BGR Bulgaria; HR HRV Croatia; CY CYP Cyprus; CZ CZE Czechia|czech republic;
    DK DNK Denmark; EE EST Estonia; FO FRO Faroe Islands; FI FIN Finland; FR FRA France; DE DEU Germany|deutschland;
    GI GIB Gibraltar; GR GRC Greece; GG GGY Guernsey; HU HUN Hungary; IS ISL Iceland; IE IRL Ireland|republic of ireland;
    IM IMN Isle of Man; IT ITA Italy|italia; JE JEY Jersey; XK XKX Kosovo; LV LVA Latvia; LI LIE Liechtenstein;
    LT LTU Lithuania; LU LUX Luxembourg; MT MLT Malta; MD MDA Moldova|republic of moldova; MC MCO Monaco; ME MNE Montenegro;
    NL NLD Netherlands|holland; MK MKD North Macedonia|macedonia; NO NOR Norway; PL POL Poland; PT PRT Portugal;
    RO ROU Romania; RU RUS Russia|russian federation; SM SMR San Marino; RS SRB Serbia; SK SVK Slovakia|slovak republic;
    SI SVN Slovenia; ES ESP Spain|españa; SJ SJM Svalbard and Jan Mayen; SE SWE Sweden; CH CHE Switzerland|schweiz|suisse;
    UA UKR Ukraine; VA VAT Vatican City|holy see; GB GBR United Kingdom|uk|great britain|britain|england|scotland|wales|
    northern ireland|united kingdom of great britain and northern ireland`,
  'middle east': `BH BHR Bahrain; IR IRN Iran|islamic republic of iran; IQ IRQ Iraq; IL ISR Israel; JO JOR Jordan; KW KWT Kuwait;
    LB LBN Lebanon; OM OMN Oman; PS PSE Palestine|state of palestine|palestinian territories; QA QAT Qatar; SA SAU Saudi Arabia|ksa;
    SY SYR Syria|syrian arab republic; TR TUR Türkiye|turkey; AE ARE United Arab Emirates|uae; YE YEM Yemen`,
  africa: `DZ DZA Algeria; AO AGO Angola; BJ BEN Benin; BW BWA Botswana; BF BFA Burkina Faso; BI BDI Burundi;
    CV CPV Cape Verde|cabo verde; CM CMR Cameroon; CF CAF Central African Republic; TD TCD Chad; KM COM Comoros;
    CG COG Congo|republic of the congo|congo brazzaville; CD COD Democratic Republic of the Congo|dr congo|drc|congo kinshasa;
    CI CIV Ivory Coast|côte d'ivoire; DJ DJI Djibouti; EG EGY Egypt; GQ GNQ Equatorial Guinea; ER ERI Eritrea;
    SZ SWZ Eswatini|swaziland; ET ETH Ethiopia; GA GAB Gabon; GM GMB Gambia|the gambia; GH GHA Ghana; GN GIN Guinea;
    GW GNB Guinea-Bissau; KE KEN Kenya; LS LSO Lesotho; LR LBR Liberia; LY LBY Libya; MG MDG Madagascar; MW MWI Malawi;
    ML MLI Mali; MR MRT Mauritania; MU MUS Mauritius; YT MYT Mayotte; MA MAR Morocco; MZ MOZ Mozambique; NA NAM Namibia;
    NE NER Niger; NG NGA Nigeria; RE REU Réunion; RW RWA Rwanda; SH SHN Saint Helena|saint helena, ascension and tristan da cunha;
    ST STP São Tomé and Príncipe; SN SEN Senegal; SC SYC Seychelles; SL SLE Sierra Leone; SO SOM Somalia; ZA ZAF South Africa;
    SS SSD South Sudan; SD SDN Sudan; TZ TZA Tanzania|united republic of tanzania; TG TGO Togo; TN TUN Tunisia; UG UGA Uganda;
    EH ESH Western Sahara; ZM ZMB Zambia; ZW ZWE Zimbabwe`,
  asia: `AF AFG Afghanistan; AM ARM Armenia; AZ AZE Azerbaijan; BD BGD Bangladesh; BT BTN Bhutan; BN BRN Brunei|brunei darussalam;
    KH KHM Cambodia; CN CHN China|people's republic of china|prc|mainland china; GE GEO Georgia; HK HKG Hong Kong|hong kong sar|hong kong sar china; IN IND India;
    ID IDN Indonesia; IO IOT British Indian Ocean Territory; JP JPN Japan; KZ KAZ Kazakhstan; KG KGZ Kyrgyzstan;
    LA LAO Laos|lao people's democratic republic; MO MAC Macao|macau|macao sar china; MY MYS Malaysia; MV MDV Maldives; MN MNG Mongolia;
    MM MMR Myanmar|burma|myanmar (burma); NP NPL Nepal; KP PRK North Korea|democratic people's republic of korea; PK PAK Pakistan;
    PH PHL Philippines|the philippines; SG SGP Singapore; KR KOR South Korea|korea|republic of korea|korea, republic of;
    LK LKA Sri Lanka; TW TWN Taiwan|taiwan, province of china; TJ TJK Tajikistan; TH THA Thailand; TL TLS Timor-Leste|east timor;
    TM TKM Turkmenistan; UZ UZB Uzbekistan; VN VNM Vietnam|viet nam`,
  oceania: `AS ASM American Samoa; AU AUS Australia; CK COK Cook Islands; FJ FJI Fiji; PF PYF French Polynesia; GU GUM Guam;
    CX CXR Christmas Island; CC CCK Cocos Islands|cocos (keeling) islands; KI KIR Kiribati; MH MHL Marshall Islands;
    FM FSM Micronesia|federated states of micronesia; NR NRU Nauru; NC NCL New Caledonia; NZ NZL New Zealand; NU NIU Niue;
    NF NFK Norfolk Island; MP MNP Northern Mariana Islands; PW PLW Palau; PG PNG Papua New Guinea; PN PCN Pitcairn|pitcairn islands;
    WS WSM Samoa; SB SLB Solomon Islands; TK TKL Tokelau; TO TON Tonga; TV TUV Tuvalu; VU VUT Vanuatu; WF WLF Wallis and Futuna;
    UM UMI United States Minor Outlying Islands`,
  'north america': `CA CAN Canada; GL GRL Greenland; PM SPM Saint Pierre and Miquelon; BM BMU Bermuda;
    US USA United States|united states of america|us|america|the states`,
  'latin america': `AI AIA Anguilla; AG ATG Antigua and Barbuda; AR ARG Argentina; AW ABW Aruba; BS BHS Bahamas|the bahamas; BB BRB Barbados;
    BZ BLZ Belize; BO BOL Bolivia|plurinational state of bolivia; BQ BES Caribbean Netherlands|bonaire, sint eustatius and saba;
    BR BRA Brazil|brasil; VG VGB British Virgin Islands; KY CYM Cayman Islands; CL CHL Chile; CO COL Colombia; CR CRI Costa Rica;
    CU CUB Cuba; CW CUW Curaçao; DM DMA Dominica; DO DOM Dominican Republic; EC ECU Ecuador; SV SLV El Salvador;
    FK FLK Falkland Islands; GF GUF French Guiana; GD GRD Grenada; GP GLP Guadeloupe; GT GTM Guatemala; GY GUY Guyana; HT HTI Haiti;
    HN HND Honduras; JM JAM Jamaica; MQ MTQ Martinique; MX MEX Mexico|méxico; MS MSR Montserrat; NI NIC Nicaragua; PA PAN Panama;
    PY PRY Paraguay; PE PER Peru; PR PRI Puerto Rico; BL BLM Saint Barthélemy; KN KNA Saint Kitts and Nevis; LC LCA Saint Lucia;
    MF MAF Saint Martin; VC VCT Saint Vincent and the Grenadines; SX SXM Sint Maarten; SR SUR Suriname; TT TTO Trinidad and Tobago;
    TC TCA Turks and Caicos Islands; UY URY Uruguay; VE VEN Venezuela|bolivarian republic of venezuela; VI VIR U.S. Virgin Islands`,
  none: `AQ ATA Antarctica; BV BVT Bouvet Island; TF ATF French Southern Territories; HM HMD Heard Island and McDonald Islands;
    GS SGS South Georgia and the South Sandwich Islands`,
}

const NAMES = new Map<string, string>()
const SPELLINGS = new Map<string, string>()
const BY_REGION = new Map<Region, string[]>()

const fold = (text: string) =>
  foldText(text)
    .replaceAll(/[.'’]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\bst\b/g, 'saint')
    .trim()
    .replace(/^the /, '')

for (const [region, list] of Object.entries(LIST) as [Region, string][]) {
  const codes = list.split(';').map((entry) => {
    const [, code = '', long = '', names = ''] = /^([A-Z]{2}) ([A-Z]{3}) ([\s\S]+)$/.exec(entry.trim()) ?? []
    const [name = '', ...others] = names.split('|').map((part) => part.trim())
    NAMES.set(code, name)
    for (const spelling of [code, long, name, ...others]) SPELLINGS.set(fold(spelling), code)
    return code
  })
  BY_REGION.set(region, codes)
}

const of = (...regions: Region[]) => regions.flatMap((region) => BY_REGION.get(region) ?? [])
const codes = (text: string) => text.split(' ')
const EU = codes('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE')

/** Regions by the name they are shown under. */
export const REGIONS: Readonly<Record<string, readonly string[]>> = {
  EMEA: of('europe', 'middle east', 'africa'),
  Europe: of('europe'),
  EU,
  EEA: [...EU, 'IS', 'LI', 'NO'],
  DACH: codes('DE AT CH'),
  Nordics: codes('DK SE NO FI IS'),
  Benelux: codes('NL BE LU'),
  Baltics: codes('EE LV LT'),
  Iberia: codes('ES PT'),
  UKI: codes('GB IE'),
  'Western Europe': codes('GB IE FR DE AT CH NL BE LU ES PT IT'),
  'Southern Europe': codes('ES PT IT GR MT CY'),
  CEE: codes('PL CZ SK HU RO BG HR SI RS BA ME MK AL EE LV LT UA MD'),
  APAC: of('asia', 'oceania'),
  ANZ: codes('AU NZ'),
  Asia: of('asia'),
  'Southeast Asia': codes('SG ID MY TH VN PH BN KH LA MM TL'),
  'East Asia': codes('CN HK MO TW JP KR KP MN'),
  'South Asia': codes('IN PK BD LK NP BT MV AF'),
  Oceania: of('oceania'),
  'North America': [...of('north america'), 'MX'],
  'Latin America': of('latin america'),
  'South America': codes('AR BO BR CL CO EC FK GF GY PE PY SR UY VE'),
  'Central America': codes('BZ CR GT HN NI PA SV'),
  Americas: of('north america', 'latin america'),
  'Middle East': [...of('middle east'), 'EG'],
  MENA: [...of('middle east'), ...codes('EG LY TN DZ MA')],
  GCC: codes('AE SA QA KW BH OM'),
  Africa: of('africa'),
}

const OTHER_REGION_NAMES: Record<string, string> = {
  'european union': 'EU',
  'european economic area': 'EEA',
  nordic: 'Nordics',
  'nordic countries': 'Nordics',
  scandinavia: 'Nordics',
  baltic: 'Baltics',
  'baltic states': 'Baltics',
  'uk and ireland': 'UKI',
  'uk and i': 'UKI',
  'united kingdom and ireland': 'UKI',
  'central and eastern europe': 'CEE',
  'eastern europe': 'CEE',
  'asia pacific': 'APAC',
  'asia and pacific': 'APAC',
  'australia and new zealand': 'ANZ',
  'south east asia': 'Southeast Asia',
  asean: 'Southeast Asia',
  noram: 'North America',
  namer: 'North America',
  latam: 'Latin America',
  'latin america and caribbean': 'Latin America',
  'latin america and the caribbean': 'Latin America',
  amer: 'Americas',
  'middle east and north africa': 'MENA',
  'gulf states': 'GCC',
}

const REGION_OF = new Map(
  [...Object.keys(REGIONS).map((name) => [name, name] as const), ...Object.entries(OTHER_REGION_NAMES)].map(
    ([spelling, name]) => [fold(spelling), name] as const,
  ),
)

/** Codes of the country or region that a text names by its name or code; none when it names neither. */
export function countryCodesOf(text: string): string[] {
  const spelling = fold(text)
  const region = REGION_OF.get(spelling)
  if (region) return [...(REGIONS[region] ?? [])]
  const country = SPELLINGS.get(spelling)
  return country ? [country] : []
}

/** Code of the country that a text names by its name or code; null when it names none. */
export function countryCode(text: string): string | null {
  return SPELLINGS.get(fold(text)) ?? null
}

/** The English name of a country. */
export function countryName(code: string): string | null {
  return NAMES.get(code) ?? null
}
