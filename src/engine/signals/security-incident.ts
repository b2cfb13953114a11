import type { SignalRecord } from './record.ts'

export const securityIncident = {
  id: 'security_incident',
  name: 'Security incident',
  description: 'The company suffered a breach, an attack or a leak.',
  counts:
    'Counts for the company that was breached or attacked, leaked data, was hit by ransomware, or had an outage through an attack. The attacker, researchers, security vendors, and vulnerabilities without an incident do not count.',
  wordings: [
    'hacked, breached or hit by ransomware',
    'data of customers or staff was stolen or exposed',
    'cyber attack on the company',
    'The organisation had a security incident.',
    'unauthorised access to its systems',
    'personal data leaked',
    'systems down after an attack',
  ],
  color: 'yellow',
  seldomRepeats: true,
  sides: [
    {
      predicate: 'had a security incident',
      clause: 'had a security incident',
      topic: 'the incident',
      frames: [
        ['anyone', '{affected} … <taken>', 'had a breach that affects {affected}'],
        ['anyone', '<stole> … {affected}', 'had a breach that affects {affected}'],
        ['anyone', 'breach|hack|attack|leak … {affected}', 'had a breach that affects {affected}'],
        ['anyone', 'ransomware', 'was hit by ransomware'],
        ['anyone', 'data breach|breaches', 'had a data breach'],
        ['anyone', 'cyberattack|cyber-attack|cyberattacks', 'was hit by a cyberattack'],
        ['anyone', 'cyber attack|attacks', 'was hit by a cyberattack'],
        ['anyone', 'ddos', 'was hit by a DDoS attack'],
        ['anyone', 'data leak|leaks', 'had a data leak'],
        ['company', 'hacked', 'was hacked'],
        ['anyone', 'hacked', 'was hacked'],
        ['anyone', 'phishing attack', 'was hit by a phishing attack'],
        ['anyone', 'hack|hacking of|at {self}', 'was hacked'],
        ['anyone', 'leaked|leaks … data|passwords|records|details', 'had a data leak'],
        ['company', 'hit by … attack|hack', 'was hit by an attack'],
        ['involved', 'hackers|intruders|attackers had|have|gained access', 'had intruders in its systems'],
        ['anyone', 'data theft', 'had data stolen'],
        ['anyone', 'data <be>? <be>? stolen', 'had data stolen'],
        ['anyone', 'stole|stolen … data|files|details|records', 'had data stolen'],
        ['anyone', 'unauthorized|unauthorised access|party', 'suffered unauthorised access to its systems'],
      ],
    },
  ],
  headline: {
    phrases: ['data breach', 'hacked', 'ransomware', 'security incident'],
    event:
      /^(?:(?:confirms|discloses|suffers|reports|reveals|says it suffered|hit by|admits) .*\b(?:breach|hack|attack|ransomware|incident|leak)|(?:was |is |got )?(?:hacked|breached)|(?:data )?breach\b|leaks )/i,
  },
  draft: {
    kind: 'hardship',
    topics: [
      [/ransomware/, 'the ransomware attack'],
      [/cyberattack/, 'the cyberattack'],
      [/DDoS/, 'the DDoS attack'],
      [/phishing/, 'the phishing attack'],
      [/leak/, 'the data leak'],
      [/breach/, 'the data breach'],
    ],
    news: (topic, account) => `${topic} ${topic.endsWith('attack') ? 'on' : 'at'} ${account}`,
    departments: ['Security', 'IT', 'Engineering'],
    near: /\b(?:secur\w+|protect\w*|recover\w*|backup\w*|restor\w+|breach\w*|attack\w*|resilien\w+)\b/i,
    about: /\b(?:recover(?:ed|y)|restor\w+|ransomware|attack\w*|breach\w*)\b/i,
  },
} as const satisfies SignalRecord
