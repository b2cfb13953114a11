// The fields that a column of a file can be imported as: the headers that spreadsheets and CRM exports give them in English,
// German, French and Spanish, and the content that they hold.

/** What the cells of a column are. */
export type CellKind =
  | 'site'
  | 'profile'
  | 'person'
  | 'network'
  | 'email'
  | 'number'
  | 'range'
  | 'country'
  | 'date'
  | 'flag'
  | 'id'
  | 'phone'
  | 'long text'
  | 'text'

export type ImportField = {
  /** Known headers, the best first. */
  headers: readonly string[]
  /** Any other content contradicts the header. */
  holds: readonly CellKind[]
  /** Content that needs no header. */
  sure?: CellKind
  /** Whether headers are about a company ("Company city" is "City") or about a person ("Contact phone"). */
  about: 'company' | 'person'
  /** Only where another column is the domain: it fills the gaps. */
  isSecond?: true
}

/** The fields of a kind of record, by name. */
export type ImportFields = Readonly<Record<string, ImportField>>

const list = (names: string) => names.split('|').map((name) => name.trim())

/** Words that may precede or follow any header about a company. */
export const COMPANY_WORDS = new Set(
  (
    'company companies account accounts organization organisation organizations org business firm corporate firma firmen ' +
    'unternehmen unternehmens kunde kunden empresa compania cliente entreprise societe client primary main billing hq ' +
    'principal principale haupt global public current properties field feld champ campo siege sede zentrale hauptsitz'
  ).split(' '),
)
export const PERSON_WORDS = new Set(
  'contact person lead personal work business professional primary direct kontakt ansprechpartner contacto'.split(' '),
)
/** Words without meaning in a header. */
export const FILLER_WORDS = new Set(
  (
    'the of der die das des den dem fur de la le les du d l el los las del a en your our ihr ihre nr no n o 1 total gesamt ca ' +
    'aprox approx estimated root full iso'
  ).split(' '),
)
/** Words of headers whose addresses are not the company's own. */
export const FOREIGN_WORDS = new Set(
  (
    'parent competitor competitors partner referrer referring source logo image picture photo icon avatar hubspot salesforce ' +
    'record crm mutter wettbewerber konkurrent concurrent competidor original last first created ultimate'
  ).split(' '),
)

const WEBSITE = list(
  `website|web site|website url|url|homepage url|url website|firmenwebsite|firmenwebseite|firmenhomepage|unternehmenswebsite|
  unternehmenswebseite|webprasenz|url site web|url sitio web|company url|homepage|home page|web|web page|webpage|web address|site|site url|
  webseite|web seite|website adresse|internetseite|internet seite|internetadresse|internet|internetauftritt|webadresse|www|link|
  site web|site internet|adresse web|adresse du site|adresse du site web|page web|url du site|sitio web|sitio|pagina web|web corporativa|direccion web|
  sitio de internet|portal web`,
)

const COMPANY = {
  domain: {
    headers: [
      ...list(
        `domain|domain name|company domain|company domain name|primary domain|web domain|website domain|account domain|email domain|
        domaene|domane|domain adresse|domainname|firmendomain|webdomain|domaine|nom de domaine|dominio|nombre de dominio|
        dominio web|domains`,
      ),
      ...WEBSITE,
    ],
    holds: ['site', 'text', 'long text'],
    sure: 'site',
    about: 'company',
  },
  name: {
    headers: list(
      `company name|account name|organization name|organisation name|firmenname|unternehmensname|firmenbezeichnung|firmierung|
      kundenname|nombre de la empresa|nombre empresa|nombre comercial|nombre del cliente|raison sociale|denomination sociale|
      denomination|nom de l entreprise|nom entreprise|nom de la societe|nom du compte|nom commercial|razon social|denominacion social|
      denominacion|legal name|company|account|organization|organisation|business name|firma|unternehmen|gesellschaft|kunde|
      entreprise|societe|empresa|compania|cliente|client|customer|customer name|employer|arbeitgeber|name|nom|nombre|bezeichnung|enseigne|handelsname|brand name`,
    ),
    holds: ['text', 'country', 'long text'],
    about: 'company',
  },
  employees: {
    headers: list(
      `employees|employee count|employees count|number of employees|no of employees|num employees|of employees|employee number|
      employee range|employees range|headcount|head count|company size|company headcount|company employee range|size|staff|
      staff count|workforce|fte|current employee estimate|size range|team size|mitarbeiter|mitarbeiterzahl|mitarbeiteranzahl|
      anzahl mitarbeiter|anz mitarbeiter|mitarb|mitarbeiter zahl|nombre de collaborateurs|collaborateurs|employee size|anzahl der mitarbeiter|anzahl mitarbeitende|mitarbeitende|mitarbeiter anzahl|zahl der mitarbeiter|
      beschaftigte|anzahl beschaftigte|beschaftigtenzahl|unternehmensgrosse|firmengrosse|ma anzahl|anzahl ma|effectif|effectifs|
      nombre d employes|nombre employes|nombre de salaries|nb salaries|nb d employes|nb employes|salaries|employes|
      tranche d effectif|tranche effectif|tranche d effectifs|taille|taille de l entreprise|numero de empleados|num empleados|
      numero empleados|n empleados|cantidad de empleados|empleados|trabajadores|numero de trabajadores|plantilla|
      tamano|tamano de la empresa|tamano empresa`,
    ),
    holds: ['number', 'range'],
    sure: 'range',
    about: 'company',
  },
  industry: {
    headers: list(
      `industry|industries|industry name|sector|industry sector|vertical|branche|branchen|industrie|wirtschaftszweig|
      tatigkeitsfeld|geschaftsfeld|secteur|secteur d activite|activite|activite principale|domaine d activite|
      sector de actividad|actividad|actividad principal|industria|rubro|giro|ramo|industry group|market segment|category`,
    ),
    holds: ['text', 'country', 'long text'],
    about: 'company',
  },
  location: {
    headers: list(
      `location|headquarters|hq location|headquarters location|company location|city|hq city|company city|billing city|town|
      headquarter|hq|locality|ort|stadt|plz ort|ort stadt|sitz|firmensitz|hauptsitz|unternehmenssitz|standort|ville|commune|
      localite|siege|siege social|lieu|ciudad|localidad|poblacion|municipio|sede|sede social|ubicacion|address|full address|
      company address|city town village locality of address|adresse|anschrift|direccion|domicilio`,
    ),
    holds: ['text', 'country', 'long text'],
    about: 'company',
  },
  country: {
    headers: list(
      `country|country name|country region|country code|country_code|hq country|headquarters country|billing country|
      company country|country of address|country iso|iso country|land|staat|landercode|landerkurzel|pais de origen|code pays iso|landerkennzeichen|nation|sitzland|pays|code pays|pais|
      codigo pais|codigo de pais|nacion`,
    ),
    holds: ['country', 'text'],
    sure: 'country',
    about: 'company',
  },
  network_url: {
    headers: list(
      `network_url|linkedin company page|company linkedin url|linkedin company url|linkedin url|linkedin|linkedin profile|
      linkedin page|linkedin profile url|linkedin account url|linkedin link|linkedin company|linkedin unternehmensseite|
      linkedin unternehmensprofil|linkedin profil|linkedin seite|page linkedin|profil linkedin|lien linkedin|perfil de linkedin|
      perfil linkedin|pagina de linkedin|enlace linkedin|linkedin de la empresa|li url|xing|xing url|xing profil|profile url|
      profile link|social profile`,
    ),
    holds: ['profile', 'site', 'text', 'person'],
    sure: 'profile',
    about: 'company',
  },
  short_description: {
    headers: list(
      `short_description|description|company description|short description|about|about us|about the company|summary|
      company summary|seo description|overview|company overview|beschreibung|kurzbeschreibung|kurzprofil|firmenprofil|unternehmensbeschreibung|
      firmenbeschreibung|uber uns|beschreibung des unternehmens|presentation|descriptif|description de l entreprise|resume|
      a propos|descripcion|descripcion breve|descripcion de la empresa|resumen|acerca de`,
    ),
    holds: ['text', 'long text'],
    about: 'company',
  },
} as const satisfies ImportFields

const EMAIL = list(
  `email|e mail|email address|e mail address|company email|general email|main email|work email|contact email|info email|mail|
  emailadresse|e mail adresse|email adresse|mailadresse|mail adresse|kontakt e mail|courriel|adresse e mail|adresse email|
  adresse mail|adresse electronique|email contact|correo|correo electronico|email de contacto|direccion de correo|correo e`,
)

export const ACCOUNT_COLUMNS = {
  name: COMPANY.name,
  domain: COMPANY.domain,
  /** For rows without a domain. */
  website: { headers: WEBSITE, holds: ['site', 'text'], about: 'company', isSecond: true },
  /** Its domain is used for rows without a domain. */
  email: { headers: EMAIL, holds: ['email'], sure: 'email', about: 'company' },
  tags: {
    headers: list(
      `tags|tag|labels|label|lists|list name|schlagworte|schlagworter|stichworte|stichworter|etiketten|markierungen|markierung|
      etiquettes|etiquette|libelles|mots cles|listes|etiquetas|etiqueta|listas`,
    ),
    holds: ['text', 'long text', 'country', 'number'],
    about: 'company',
  },
  owner: {
    headers: list(
      `owner|owner email|account owner|company owner|record owner|owner_id|owner name|owner full name|account owner email|
      assigned to|assigned user|account manager|account manager email|account executive|sales rep|sales owner|salesperson|responsible|besitzer|
      datensatzbesitzer|accountinhaber|betreuer|kundenbetreuer|zustandig|zustandiger|zustandiger mitarbeiter|verantwortlich|
      verantwortlicher|vertriebsmitarbeiter|aussendienst|proprietaire|proprietaire du compte|responsable|responsable du compte|
      responsable commercial|commercial|charge de compte|attribue a|propietario|propietario de la cuenta|propietario del registro|
      asignado a|comercial|gestor|vendedor|vertriebler|ejecutivo de cuenta|responsable de cuenta`,
    ),
    holds: ['email', 'text', 'id'],
    about: 'company',
  },
  employees: COMPANY.employees,
  industry: COMPANY.industry,
  location: COMPANY.location,
  country: COMPANY.country,
  network_url: COMPANY.network_url,
  short_description: COMPANY.short_description,
} as const satisfies ImportFields

export const COMPANY_COLUMNS = {
  ...COMPANY,
  founded_year: {
    headers: list(
      `founded_year|founded|year founded|founding year|foundation year|founded in|gegruendet|gegrundet|grundungsjahr|
      grundungsdatum|annee de creation|date de creation|annee de fondation|ano de fundacion|fundacion|fecha de constitucion`,
    ),
    holds: ['number', 'date'],
    about: 'company',
  },
} as const satisfies ImportFields

export const PEOPLE_COLUMNS = {
  full_name: {
    headers: list(
      `full_name|full name|contact name|person name|name|contact|person|lead name|vollstandiger name|ansprechpartner|
      kontaktperson|kontakt|nom complet|nom et prenom|prenom et nom|interlocuteur|nombre completo|nombre y apellidos|contacto|
      persona de contacto`,
    ),
    holds: ['text', 'country'],
    about: 'person',
  },
  first_name: {
    headers: list('first_name|first name|given name|firstname|forename|vorname|prenom|nombre|nombre de pila'),
    holds: ['text', 'country'],
    about: 'person',
  },
  last_name: {
    headers: list(
      `last_name|last name|surname|family name|lastname|nachname|familienname|nom de famille|nom|apellido|apellidos`,
    ),
    holds: ['text', 'country'],
    about: 'person',
  },
  domain: COMPANY.domain,
  title: {
    headers: list(
      `title|job title|position|role|job role|current title|designation|funktion|stelle|rolle|berufsbezeichnung|
      positionsbezeichnung|stellenbezeichnung|jobtitel|titel|fonction|poste|intitule du poste|titre|cargo|puesto|
      puesto de trabajo|titulo`,
    ),
    holds: ['text', 'long text', 'country'],
    about: 'person',
  },
  headline: { headers: list('headline|bio|linkedin headline|tagline'), holds: ['text', 'long text'], about: 'person' },
  network_url: {
    headers: list(
      `network_url|person linkedin url|linkedin url|linkedin profile|linkedin profile url|linkedin|linkedin link|linkedin profil|
      profil linkedin|perfil de linkedin|perfil linkedin|xing|xing profil|xing url|profile url|profile|profile link|
      public profile url|sales navigator url`,
    ),
    holds: ['person', 'site', 'text'],
    sure: 'person',
    about: 'person',
  },
  email: { headers: EMAIL, holds: ['email'], sure: 'email', about: 'person' },
  phone: {
    headers: list(
      `phone|phone number|mobile|mobile phone|mobile number|cell|cell phone|telephone|direct phone|direct dial|work direct phone|
      corporate phone|telefon|telefonnummer|tel|handy|handynummer|mobil|mobiltelefon|mobilnummer|durchwahl|rufnummer|telephone|
      numero de telephone|portable|mobile|telefono|numero de telefono|movil|celular`,
    ),
    holds: ['phone', 'number', 'text'],
    about: 'person',
  },
  location: { ...COMPANY.location, about: 'person' },
  country_code: {
    headers: ['country_code', ...COMPANY.country.headers],
    holds: ['country', 'text'],
    sure: 'country',
    about: 'person',
  },
} as const satisfies ImportFields
