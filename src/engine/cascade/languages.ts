import { table } from '../table.ts'

/**
 * Job titles of other languages in English words, so that one vocabulary reads them all. Spellings are folded (no
 * accents). A line holds `foreign|foreign=english` pairs; phrases go before their words.
 */
const PHRASES = pairs(`
finanzchef|finanzchefin|finanzvorstand=cfo; vertriebschef|vertriebschefin=head of sales; technikchef|technikchefin=cto; einkaufschef|einkaufschefin=head of purchasing;
kaufmannischer leiter|kaufmannische leiterin|kaufmannische leitung|kaufmannischer geschaftsfuhrer=finance director;
technischer leiter|technische leiterin|technischer direktor=technical director; leiter|leiterin|leitung=head of;
directeur general|directrice generale|president directeur general|pdg|directeur general delegue=ceo;
director general|directora general|direttore generale|diretor geral|diretora geral|algemeen directeur=ceo;
gerente general|consejero delegado|consejera delegada|amministratore delegato|amministratrice delegata=ceo;
administrador delegado|verkstallande direktor|administrerende direktor|adm direktor|daglig leder|vd=ceo;
geschaftsfuhrer|geschaftsfuhrerin|geschaftsfuhrung|geschaftsleitung|toimitusjohtaja|prezes|prezes zarzadu=ceo;
vorstandsvorsitzender|vorstandsvorsitzende|gerant|gerante|dg|directeur d agence generale=ceo;
inhaber|inhaberin|gesellschafter|gesellschafterin|eigentumer|proprietaire|propietario|titolare|eigenaar=owner;
grunder|grunderin|mitgrunder|mitgrunderin|fondateur|fondatrice|cofondateur|cofondatrice|fundador|fundadora=founder;
fondatore|fondatrice|oprichter|grundare|grundlegger|stifter|socio fundador|gruender=founder;
directeur administratif et financier|directrice administrative et financiere|daf|raf=finance director;
direction administrative et financiere|director administrativo financiero|director financiero=finance director;
directeur financier|directrice financiere|direttore finanziario|diretor financeiro|financieel directeur=finance director;
directeur des ressources humaines|directrice des ressources humaines|drh=chief human resources officer;
directeur des systemes d information|directrice des systemes d information|dsi=chief information officer;
rssi=chief information security officer; directeur technique|directrice technique|director tecnico|direttore tecnico=cto;
chef de projet|jefe de proyecto|jefa de proyecto|capo progetto=project manager; chef de produit=product manager;
chef des ventes|chef de vente=sales manager; chef comptable=head accountant; chef executif|chef de cuisine=executive chef;
personal assistant=personal assistant; personal data=personal data; personal trainer=fitness trainer; chef d equipe|chef de groupe=team lead; attache de presse|attachee de presse=press officer; chef d entreprise=ceo;
charge de|chargee de|charge d|chargee d=specialist; ressources humaines|recursos humanos|risorse umane|rrhh|rh=human resources;
systemes d information|sistemas de informacion|sistemi informativi=it; informatique|informatica|edv=it;
relations presse|relaciones publicas|relazioni pubbliche=public relations; controle de gestion=controlling;
controleur de gestion|controleuse de gestion|controller de gestion|contrôleur de gestion=financial controller;
service client|atencion al cliente|servizio clienti|relation client=customer service; soporte tecnico=technical support;
force de vente=sales; cadena de suministro|chaine logistique=supply chain; commerce exterieur=export sales;
recherche et developpement|investigacion y desarrollo|ricerca e sviluppo|forschung und entwicklung|fue=research and development;
ama de llaves|gouvernante|gobernanta=housekeeping supervisor; hoofd van|hoofd=head of; avdelingsleder|afdelingschef=department head;
teamleiter|teamleiterin|teamleider|teamleder|gruppenleiter|gruppenleiterin=team lead; projektleiter|projektleiterin=project manager;
projectleider|projektleder|projektledare|prosjektleder=project manager; filialleiter|filialleiterin=branch manager;
marktleiter|marktleiterin|storeleiter=store manager; schichtleiter|schichtleiterin=shift supervisor;
werkstudent|werkstudentin|praktikant|praktikantin|stagiaire|becario|becaria|stagista|tirocinante|auszubildender=intern;
auszubildende|azubi|apprenti|apprentie|alternant|alternante|estagiario|estagiaria|volontar|volontarin|practicante=intern;
trainees|student assistant|studentische hilfskraft|stagiar|larling|laerling|harjoittelija=intern;
sekretar|sekretarin|assistenz|assistentin|assistente|asistente|secretaire|secretaria|segretaria|sekreterare=assistant;
freiberufler|freiberuflich|freelancer|freelance|autonomo|independant=freelance; werkleiter|werksleiter|werksleiterin=plant manager`)

const WORDS = pairs(`
direktor|direktorin|directeur|directrice|directora|diretor|diretora|direttore|direttrice|direktorka|dyrektor|johtaja=director;
bereichsleiter|bereichsleiterin|abteilungsleiter|abteilungsleiterin|abteilungsdirektor=head;
jefe|jefa|responsable|responsabile|gerente|sjef|leder|ledare|managerin|kierownik|gestionnaire|paallikko|encargado|encargada=manager;
beauftragter|beauftragte|ansvarlig|ansvarig|forvaltare=officer; referent|referentin|sachbearbeiter|sachbearbeiterin=specialist;
mitarbeiter|mitarbeiterin|medewerker|medarbetare|medarbejder|specjalista|especialista|specialista|spezialist|spezialistin=specialist;
berater|beraterin|conseiller|conseillere|asesor|asesora|consulente|adviseur|radgiver|radgivare|konsulent|konsult=advisor;
ingenieur|ingenieurin|ingenieure|ingeniero|ingeniera|ingegnere|engenheiro|engenheira|ingenjor|ingenior|insinoori=engineer;
entwickler|entwicklerin|developpeur|developpeuse|desarrollador|desarrolladora|sviluppatore|utvecklare|utvikler=developer;
vertrieb|verkauf|ventas|vente|ventes|vendite|vendas|verkoop|forsaljning|salg|salgs|myynti|comercial|commerciale|sprzedaz=sales;
verkaufer|verkauferin|vendeur|vendeuse|vendedor|vendedora|selger|saljare|saelger|venditore=sales representative;
marked|markeds|marknad|marknads|markt|marketingu|mercadeo|markkinointi=marketing; mercado=market;
werbung|publicite|publicidad|pubblicita=advertising; marke|marque|marca=brand;
kommunikation|comunicacion|comunicazione|communicatie|kommunikasjon|comunicacao=communications; presse|prensa|stampa|pers=press;
einkauf|achats|achat|compras|acquisti|inkoop|innkjop|inkop|indkob|osto|zakupow|approvisionnement|beschaffung=purchasing;
einkaufer|einkauferin|acheteur|acheteuse|comprador|compradora|inkoper|innkjoper|inkopare=buyer;
personal|personeel|personale|kadr|henkilosto|personalwesen|personalabteilung=human resources;
recrutement|reclutamiento|selezione|rekrutering|rekryterare|seleccion|werving=recruiting; paie|nomina|nominas|lohn|gehalt|lonn|lon|paghe|salaris|entgelt|lohnbuchhaltung=payroll;
formation|formacion|formazione|ausbildung|weiterbildung|opleiding|opplaering=training;
finanzen|finanz|financiero|financiera|finanzas|finanza|financien|financier|financiere|okonomi|ekonomi|talous|financeiro|finans=finance;
rechnungswesen|buchhaltung|comptabilite|contabilidad|contabilita|boekhouding|regnskap|redovisning|regnskab|bilanz=accounting;
comptable|contable|contador|contadora|contabile|buchhalter|buchhalterin|boekhouder|bilanzbuchhalter|bilanzbuchhalterin|regnskapsforer|ekonom=accountant;
steuer|steuern|impots|fiscalite|impuestos|belasting|skatt=tax; kreditrisiko=credit risk; risiko|risque|risques|riesgo|riesgos|rischi|rischio=risk;
innenrevision|audit interne|auditoria=audit; kredit|kredite|credito=credit; anlage|vermogensverwaltung=investment;
recht|rechtsabteilung|juridique|juridico|legale|juridisch|juridisk|jurist|juristin|juriste|abogado|abogada|avocat|avocate|avvocato|rechtsanwalt|rechtsanwaltin|syndikus|advokat=legal counsel;
datenschutz|rgpd|personvern|dataskydd|privacidad|gegevensbescherming=data protection;
sicherheit|securite|seguridad|sicurezza|beveiliging|sikkerhet|sakerhet|sikkerhed=security; arbeitssicherheit|prevencion de riesgos laborales|hms=health and safety;
daten|donnees|datos|dati=data; systeme|systemes|sistemas|sistemi=systems; netzwerk|reseau|redes=network;
softwareentwicklung|logiciel=software development; entwicklung|developpement|desarrollo|sviluppo|ontwikkeling|utvikling|utveckling=development;
forschung|recherche|investigacion|ricerca|onderzoek|forskning=research; produkt|produit|producto|prodotto=product;
produktion|produccion|produzione|productie|produksjon|fertigung|fabrication|producao|tuotanto=production; werk|usine|fabrica|planta|stabilimento|fabriek|fabrikk=plant;
instandhaltung|wartung|mantenimiento|manutenzione|onderhoud|vedlikehold|underhall|manutencao|entretien|technik=maintenance;
qualitat|qualite|calidad|qualita|kwaliteit|kvalitet|qualidade|qualitatssicherung|qualitatsmanagement|laatu=quality;
betrieb|exploitation|operaciones|operazioni|drift|operacoes|operativo|betriebs=operations; lieferkette|lieferanten=supplier;
logistik|logistique|logistica|logistiek|logistikk|logistyki|logistiikka=logistics; lager|almacen|entrepot|magazzino|magazijn|varasto|armazem=warehouse;
fuhrpark|flotte|flota|flotta|wagenpark=fleet; fahrer|fahrerin|chauffeur|conductor|autista|sjafor|forare|chofer=driver; versand|spedition=shipping;
filial|filiale|filialen|agence|sucursal|agencia=branch; butikk|butik|butiks|tienda|magasin|negozio|winkel|laden|myymala=store;
kunden|kunde|kundenservice|kundenbetreuung|cliente|clientes|clienti|klant|klanten|kund|asiakas=customer; kundenberater|kundenberaterin|kundenbetreuer=customer advisor;
nachhaltigkeit|durabilite|sostenibilidad|sostenibilita|duurzaamheid|barekraft|hallbarhet|baeredygtighed|rse=sustainability; umwelt|medio ambiente|milieu|miljo=environment;
gebaude|immobilien|immobilier|inmuebles|immobili|eiendom|fastighet=facilities; haustechnik=facilities; bau|bauleitung|obra|chantier|cantiere=construction;
recepcionista|rezeptionist|rezeptionistin|receptionniste|empfang|recepcion=receptionist; cocina|kuche|cuisine|cucina=kitchen; eventos|evenementiel|veranstaltungen|grupos=events;
arzt|arztin|medecin|medico|lege|lakare=physician; pflege|krankenpflege|infirmier|infirmiere|enfermera|enfermero=nurse; strategie|estrategia|strategia=strategy;
presidente=president; unternehmensentwicklung=strategy;
ecommerce|onlinehandel=ecommerce; digitalisierung|digitalisation=digital transformation; beveiligingsbeambte|wachmann=security guard`)

const LINKS = new Set(
  'de des du di del della delle dei da do dos das d der van af av til for fur et y e und og och en la le les el los il les l the'.split(
    ' ',
  ),
)
const AND = new Set(['et', 'y', 'e', 'und', 'og', 'och', 'en'])
/** Second halves of compounds: "Innkjøps-sjef", "Personal-leiterin". The longest is tried first. */
const HEADS = [
  'abteilungsleiterin abteilungsleiter sachbearbeiterin sachbearbeiter mitarbeiterin mitarbeiter beauftragter beauftragte',
  'ingenieurin ingenieur managerin manager direktorin direktor directeur referentin referent spezialistin spezialist',
  'entwicklerin entwickler beraterin berater assistentin assistent leiterin leitung leiter medewerker medarbetare',
  'medarbejder adviseur konsulent radgiver ansvarlig ansvarig sjefen sjef chefin chef leder ledare leider vorstand paallikko johtaja',
  'einkaufer verkaufer ingenior ingenjor utvikler utvecklare controller analyst hoofd fahrer',
]
  .join(' ')
  .split(' ')
const HEAD_WORDS = table<string>({ chef: 'manager', chefin: 'manager', sjefen: 'manager', leider: 'manager' })
const LONGEST = 5
const SHORTEST_STEM = 3

function pairs(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of text.split(';')) {
    const [foreign = '', english = ''] = entry.trim().split('=')
    for (const word of foreign.split('|')) found.set(word.trim(), english)
  }
  return found
}

/** The words of a title in English where they are of another language; `isForeign` when any was. */
export function translate(words: readonly string[]): { words: string[]; isForeign: boolean } {
  const result: string[] = []
  let isForeign = false
  for (let i = 0; i < words.length; ) {
    const taken = phraseAt(words, i)
    if (taken) {
      result.push(...taken.english.split(' '))
      i += taken.length
      isForeign = true
      continue
    }
    const word = words[i] as string
    const english = isChief(words, i) ? 'manager' : (WORDS.get(word) ?? compound(word))
    if (english) result.push(...english.split(' '))
    else result.push(word)
    isForeign ||= english !== null && english !== undefined
    i++
  }
  if (!isForeign) return { words: result, isForeign }
  return { words: result.map((word) => (AND.has(word) ? 'and' : LINKS.has(word) ? 'of' : word)), isForeign }
}

/** "HR-chef" leads HR; an executive chef cooks. */
function isChief(words: readonly string[], i: number): boolean {
  return (
    words[i] === 'chef' &&
    i > 0 &&
    !/^(?:executive|sous|head|pastry|private|personal|master|senior|,|and)$/.test(words[i - 1] as string)
  )
}

function phraseAt(words: readonly string[], start: number): { english: string; length: number } | null {
  for (let length = Math.min(LONGEST, words.length - start); length > 0; length--) {
    const english = PHRASES.get(words.slice(start, start + length).join(' '))
    if (english) return { english, length }
  }
  return null
}

/** "markedssjef" is "marketing manager": its second half names the job, its first the field. */
function compound(word: string): string | null {
  const head = HEADS.find((ending) => word.endsWith(ending) && word.length >= ending.length + SHORTEST_STEM)
  if (!head) return null
  const stem = word.slice(0, -head.length).replace(/-$/, '')
  const field = [stem, stem.replace(/s$/, ''), stem.replace(/e?n$/, ''), `${stem}e`].map(
    (part) => WORDS.get(part) ?? PHRASES.get(part),
  )
  const english = field.find(Boolean) ?? stem
  const job = HEAD_WORDS[head] ?? PHRASES.get(head)?.replace(/ of$/, '') ?? WORDS.get(head) ?? head
  return `${english} ${job}`
}

/** Every English and foreign word the translation knows. */
export function foreignWords(): string[] {
  return [...PHRASES.keys(), ...WORDS.keys()].flatMap((phrase) => phrase.split(' '))
}
