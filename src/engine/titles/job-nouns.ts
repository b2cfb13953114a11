import { CHIEF_OFFICERS, wordSet } from '../english/words.ts'

/** Nouns that name a job. A short text with one of them next to a name is a title. */
export const JOB_NOUNS: ReadonlySet<string> = new Set([
  // Caio is a given name more often than a chief AI officer.
  ...CHIEF_OFFICERS.difference(wordSet('caio')),
  ...wordSet(
    'vp svp evp avp rvp gm president chair chief officer founder owner proprietor partner principal director head ' +
      'manager supervisor lead foreman superintendent treasurer controller comptroller secretary counsel attorney ' +
      'lawyer solicitor barrister paralegal engineer developer programmer architect designer scientist analyst ' +
      'researcher consultant advisor adviser specialist coordinator administrator assistant associate executive ' +
      'representative recruiter accountant auditor bookkeeper underwriter actuary trader broker agent buyer planner ' +
      'producer editor writer copywriter journalist reporter strategist marketer evangelist advocate technician ' +
      'operator mechanic electrician driver inspector nurse physician doctor surgeon dentist pharmacist therapist ' +
      'psychologist veterinarian teacher professor lecturer instructor tutor dean provost chancellor rector fellow ' +
      'intern trainee apprentice receptionist clerk chef cook baker brewer miller barista sommelier curator ' +
      'librarian photographer videographer illustrator animator artist translator interpreter pilot captain pastor ' +
      'minister priest ranger officer generalist ombudsman trustee chairman chairwoman chairperson cofounder ' +
      'entrepreneur investor host sdr bdr sre qa estimator surveyor economist statistician chemist biologist ' +
      'physicist geologist historian tester trainer coach mentor master butler concierge steward stylist ' +
      'geschaftsfuhrer geschaftsfuhrerin vorstand leiter leiterin vertriebsleiter vertriebsleiterin projektleiter ' +
      'projektleiterin teamleiter teamleiterin abteilungsleiter prokurist entwickler entwicklerin berater beraterin ' +
      'mitarbeiter mitarbeiterin sachbearbeiter sachbearbeiterin assistenz inhaber inhaberin directeur directrice ' +
      'directora diretor diretora direttore direttrice gerente gerant gerante jefe jefa responsable responsabile ' +
      'president presidente fondateur fondatrice fundador fundadora ingenieur ingenieure developpeur developpeuse ' +
      'charge chargee chef assistante commercial comptable conseiller conseillere consultora desarrollador ' +
      'desarrolladora ingeniero ingeniera asesor asesora abogado abogada contador grunder grunderin mitgrunder ' +
      'mitgrunderin leitung geschaftsfuhrung assistent assistentin referent referentin kaufmann kauffrau ' +
      'amministratore consulente impiegato bestuurder medewerker verkoopleider adviseur directie vd gesellschafter ' +
      'gesellschafterin prokuristin kierownik prezes dyrektor specjalista',
  ),
])
