/**
 * The words of websites in German, French, Spanish, Dutch and Italian. Texts are folded: lower case, without accents, with
 * spaces for punctuation. English words are in the code that uses them.
 */
type Table = { de: string; fr: string; es: string; nl: string; it: string }

/** Texts of links and headings. */
const TEXTS = {
  careers: {
    de: 'karriere|jobs (?:und|&) karriere|karriere (?:und|&) jobs|karriere bei .{1,30}|stellenangebote|stellenanzeigen|offene stellen|freie stellen|stellenmarkt|arbeiten bei .{1,30}|jobangebote|jobportal',
    fr: 'carrieres?|emplois?|offres? d.?emplois?|nos offres(?: d.?emploi)?|recrutement|nous rejoindre|rejoignez[ -]nous|nous recrutons|on recrute|travailler chez .{1,30}|postes a pourvoir',
    es: 'empleos?|ofertas de (?:empleo|trabajo)|trabaja (?:con nosotros|en .{1,30})|unete(?: al equipo| a nosotros)?|vacantes|bolsa de (?:empleo|trabajo)|trabajar en .{1,30}',
    nl: 'vacatures|alle vacatures|openstaande vacatures|werken bij(?: .{1,30})?|werk bij ons|onze vacatures|kom bij ons werken',
    it: 'lavora con noi|carriere|posizioni aperte|offerte di lavoro|opportunita di lavoro|lavorare in .{1,30}|unisciti a noi|entra nel team',
  },
  press: {
    de: 'presse|aktuelles|neuigkeiten|nachrichten|pressemitteilungen|pressebereich|meldungen|news (?:und|&) presse',
    fr: 'actualites?|actus?|presse|espace presse|communiques(?: de presse)?|nos actualites|salle de presse',
    es: 'noticias|actualidad|prensa|sala de prensa|comunicados(?: de prensa)?|notas de prensa',
    nl: 'nieuws|actueel|pers|persberichten|laatste nieuws|nieuwsberichten',
    it: 'notizie|stampa|sala stampa|comunicati(?: stampa)?|news (?:e|ed) eventi|ultime notizie|area stampa',
  },
  team: {
    de: '(?:unser |das |ihr )?team|uber uns team|(?:unternehmens|geschafts)leitung|geschaftsfuhrung|vorstand|(?:ihre )?ansprechpartner(?:innen)?|ansprechpersonen|mitarbeitende|mitarbeiter|fuhrungsteam|management team',
    fr: '(?:notre |l )?equipe|nos equipes|la direction|direction|equipe de direction|comite de direction|gouvernance|dirigeants|nos collaborateurs',
    es: '(?:nuestro |el )?equipo|equipo directivo|conoce al equipo|consejo de administracion|direccion|organigrama|quien es quien',
    nl: '(?:ons |het )?team|medewerkers|onze mensen|directie|bestuur|raad van bestuur|contactpersonen|maak kennis met ons team|wie is wie',
    it: '(?:il )?(?:nostro )?team|la squadra|le persone|le nostre persone|direzione|la direzione|consiglio di amministrazione|organi sociali|chi siamo team|management',
  },
  about: {
    de: 'uber uns|(?:das |unser )?unternehmen|wir uber uns|wer wir sind',
    fr: 'a propos|a propos de nous|qui sommes nous|l entreprise|notre entreprise|la societe|notre societe|nous connaitre',
    es: 'sobre nosotros|nosotros|quienes somos|la empresa|la compania|conocenos',
    nl: 'over ons|wie zijn wij|wie we zijn|het bedrijf|ons bedrijf|organisatie',
    it: 'chi siamo|l azienda|azienda|la societa|l impresa|su di noi',
  },
  pricing: { de: 'preise', fr: 'tarifs', es: 'precios|tarifas', nl: 'prijzen|tarieven', it: 'prezzi' },
  contact: {
    de: 'kontakt',
    fr: 'contactez nous|nous contacter',
    es: 'contacto|contactanos',
    nl: 'neem contact op',
    it: 'contatti|contattaci',
  },
  imprint: {
    de: 'impressum|imprint',
    fr: 'mentions legales',
    es: 'aviso legal',
    nl: 'colofon|bedrijfsgegevens',
    it: 'note legali|dati societari',
  },
} as const satisfies Record<string, Table>

/** The last parts of paths. */
const PATHS = {
  careers: {
    de: 'karriere|jobs-karriere|stellen|stellenangebote|stellenanzeigen|offene-stellen',
    fr: 'carrieres?|emplois?|offres-d?-?emplois?|nos-offres|recrutement|nous-rejoindre|rejoignez-nous',
    es: 'empleo|empleos|ofertas-de-empleo|trabaja-con-nosotros|vacantes',
    nl: 'vacatures|werken-bij|werkenbij',
    it: 'lavora-con-noi|carriere|posizioni-aperte|offerte-di-lavoro',
  },
  press: {
    de: 'presse|aktuelles|pressemitteilungen|neuigkeiten|meldungen',
    fr: 'presse|actualites?|actus|communiques(?:-de-presse)?',
    es: 'noticias|actualidad|prensa|sala-de-prensa|comunicados',
    nl: 'nieuws|actueel|persberichten',
    it: 'notizie|stampa|comunicati(?:-stampa)?|sala-stampa',
  },
  team: {
    de: 'unser-team|mitarbeiter|mitarbeitende|(?:unternehmens|geschaefts)leitung|geschaeftsfuehrung|vorstand|ansprechpartner',
    fr: 'equipe|notre-equipe|l-equipe|la-direction|gouvernance',
    es: 'equipo|nuestro-equipo|equipo-directivo|organigrama',
    nl: 'ons-team|medewerkers|directie|bestuur|raad-van-bestuur',
    it: 'il-team|il-nostro-team|squadra|direzione|le-persone',
  },
  about: {
    de: 'ueber-uns|uber-uns|unternehmen|wir-ueber-uns',
    fr: 'a-propos|qui-sommes-nous|l-entreprise|notre-entreprise',
    es: 'sobre-nosotros|nosotros|quienes-somos|la-empresa',
    nl: 'over-ons|wie-zijn-wij|organisatie',
    it: 'chi-siamo|azienda|l-azienda|la-societa',
  },
  pricing: { de: 'preise', fr: 'tarifs', es: 'precios|tarifas', nl: 'prijzen|tarieven', it: 'prezzi' },
  contact: { de: 'kontakt', fr: 'nous-contacter', es: 'contacto', nl: 'neem-contact-op', it: 'contatti' },
  imprint: {
    de: 'impressum',
    fr: 'mentions-legales',
    es: 'aviso-legal',
    nl: 'colofon|bedrijfsgegevens',
    it: 'note-legali',
  },
} as const satisfies Record<string, Table>

/** Parts of headings, captions and labels. */
const LABELS = {
  /** Headings about the company's people. */
  people: {
    de: 'ansprechpartner\\w*|ansprechpersonen|vorstand\\w*|geschaftsfuhrung|geschaftsleitung|unternehmensleitung|mitarbeite\\w+|uber uns|kontakte?|pressekontakt|impressum|unternehmen',
    fr: 'equipes?|direction|dirigeants|collaborateurs|gouvernance|qui sommes|a propos|contacts?|mentions legales',
    es: 'equipo|direccion|directivos?|consejo|personas|quienes somos|sobre nosotros|contactos?|aviso legal|organigrama',
    nl: 'ons team|directie|bestuur|medewerkers|collega s?|over ons|wie zijn|perscontact|contactpersonen|colofon|bedrijfsgegevens|noot voor',
    it: 'squadra|direzione|persone|consiglio|chi siamo|azienda|contatti|ufficio stampa|note legali|dati societari',
  },
  /** Headings above people of other companies. */
  outsiders: {
    de: 'kundenstimmen|referenzen|(?:das )?sagen (?:unsere )?kunden|was (?:unsere )?kunden|stimmen unserer|erfahrungsberichte|bewertungen|investoren|referenten',
    fr: 'temoignages?|avis (?:de nos )?clients|(?:ce que )?disent nos clients|nos clients|ils (?:nous )?font confiance|parlent de nous|investisseurs|intervenants',
    es: 'testimonios|opiniones|(?:lo que )?dicen (?:nuestros )?clientes|que dicen de nosotros|casos de exito|inversores|ponentes',
    nl: 'ervaringen|klantverhalen|(?:wat )?(?:onze )?klanten (?:zeggen|vertellen)|referenties|beoordelingen|investeerders|sprekers',
    it: 'testimonianze|dicono (?:di noi|i clienti)|la parola ai clienti|recensioni|opinioni dei clienti|casi di successo|investitori|relatori',
  },
  /** Headings over the leaders of a company, which are no titles. */
  leaders: {
    de: '(?:unsere |die )?(?:geschaftsfuhrung|geschaftsleitung|unternehmensleitung|vorstand|leitung|management)|aufsichtsrat|der vorstand',
    fr: '(?:la |notre |comite de )?direction|gouvernance|management',
    es: '(?:la )?direccion|consejo de administracion|equipo directivo',
    nl: '(?:de )?directie|bestuur|raad van bestuur|management',
    it: '(?:la )?direzione|consiglio di amministrazione|management',
  },
  location: {
    de: 'standort|standorte|arbeitsort|einsatzort|dienstort|ort|arbeitsplatz',
    fr: 'lieu|lieu de travail|localisation|ville|site|localite',
    es: 'ubicacion|lugar|lugar de trabajo|localidad|ciudad|provincia|centro de trabajo',
    nl: 'locatie|standplaats|plaats|werklocatie|werkplek|regio|vestiging',
    it: 'sede|sede di lavoro|luogo|luogo di lavoro|citta|localita',
  },
  department: {
    de: 'abteilung|bereich|fachbereich|tatigkeitsfeld|team',
    fr: 'service|departement|direction|metier|filiere',
    es: 'departamento|area|seccion',
    nl: 'afdeling|vakgebied|functiegebied',
    it: 'area|funzione|reparto|dipartimento|ufficio',
  },
  posted: {
    de: 'online seit|ausgeschrieben am|veroffentlicht(?: am)?|veroffentlichungsdatum|eingestellt am|datum|erschienen am|inseriert am|seit',
    fr: 'mise? en ligne(?: le)?|publiee?(?: le)?|date de publication|parue? le|date',
    es: 'publicad[oa](?: el)?|fecha(?: de (?:publicacion|alta|inicio de publicacion))?',
    nl: 'geplaatst(?: op)?|online sinds|gepubliceerd(?: op)?|datum|plaatsingsdatum|publicatiedatum',
    it: 'pubblicat[oa](?: il)?|data(?: di (?:pubblicazione|inserimento))?|inserit[oa](?: il)?',
  },
  /** What a vacancy offers; such a text next to its title is no place. */
  terms: {
    de: 'vollzeit|teilzeit|unbefristet|befristet|ab sofort|nach vereinbarung|festanstellung|werkstudent\\w*|minijob|ausbildung|homeoffice|schichtdienst|berufserfahren\\w*',
    fr: 'temps (?:plein|partiel|complet)|cdi|cdd|interim|alternance|stage|teletravail|des que possible|apprentissage|freelance',
    es: 'jornada|media jornada|indefinido|temporal|contrato|incorporacion|inmediata|practicas|teletrabajo|turno',
    nl: 'fulltime|full time|parttime|part time|uren|uur|vast contract|tijdelijk|per direct|onbepaalde tijd|thuiswerken|stage|bijbaan|wo|hbo|mbo',
    it: 'tempo (?:pieno|parziale|indeterminato|determinato)|full time|part time|contratto|stage|apprendistato|smart working|turni|partita iva',
  },
  /** Links to call, to write, or to a profile. */
  contact: {
    de: 'telefon|telefonnummer|anrufen|mobil|e mail(?: senden| schreiben)?|nachricht(?: senden)?|kontakt(?:ieren)?|profil|durchwahl',
    fr: 'telephone|appeler|courriel|mail|ecrire|envoyer un (?:mail|e mail|message)|contacter|profil|portable',
    es: 'telefono|llamar|correo(?: electronico)?|escribir|enviar (?:correo|mensaje)|contactar|perfil|movil',
    nl: 'telefoon|bellen|bel(?: mij)?|mailen|e mail(?: sturen)?|bericht|contact opnemen|profiel|mobiel',
    it: 'telefono|chiama|scrivi|e mail|invia (?:mail|messaggio)|contatta|profilo|cellulare',
  },
  /** Table headers of names and titles. */
  name: {
    de: 'name|vor und nachname|person',
    fr: 'nom|collaborateur|nom et prenom',
    es: 'nombre(?: y apellidos)?|persona',
    nl: 'naam|medewerker',
    it: 'nome(?: e cognome)?|cognome e nome',
  },
  job: {
    de: 'funktion|position|aufgabe|aufgabenbereich|stelle|stellenbezeichnung|berufsbezeichnung|tatigkeit|zustandigkeit',
    fr: 'fonction|poste|intitule(?: du poste)?|role',
    es: 'cargo|puesto|funcion',
    nl: 'functie|functietitel|rol|vacature',
    it: 'ruolo|mansione|posizione|incarico|funzione|qualifica',
  },
} as const satisfies Record<string, Table>

const joined = (table: Table) => Object.values(table).join('|')

/** A pattern for a whole text in any of the languages. */
export const linkText = (kind: keyof typeof TEXTS): string => joined(TEXTS[kind])
export const pathPart = (kind: keyof typeof PATHS): string => joined(PATHS[kind])
export const label = (kind: keyof typeof LABELS): string => joined(LABELS[kind])
