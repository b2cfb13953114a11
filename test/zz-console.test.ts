await Promise.all(['accounts', 'suggested', 'discover'].map((name) => import(`./console/${name}.ts`)))
