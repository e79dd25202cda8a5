/* analysis/integrator/rosenbrock_coeffs.h - the coefficients of the linearly implicit methods.
 *
 * From the matrices of the underlying Rosenbrock method, A = (alpha_ij), G = (gamma_ij) and weights
 * b, with l = G k the velocity part of the stages [001]:
 *
 *   (RC1)  a = A G^-1,  c = diag(1/gamma) - G^-1,  theta = A + A A G^-1,  delta = G + G A G^-1
 *   (RC2)  m = b G^-1,  mu = b (1 + A G^-1),  alpha_i and gamma_i the row sums of A and G
 *
 * `nystrom4` has order 4, embedded order 3: gamma is the root of
 * g^4 - 4 g^3 + 3 g^2 - 2 g/3 + 1/24 at which R(infinity) = 0, so the other digits differ from the
 * printed ones from the eighth on. `wmethod2` has order 2, embedded order 1, with any matrices J1
 * and J2 in place of the derivatives; gamma = 1 + 1/sqrt(2).
 */
#pragma once

enum { STAGES = 4 };

typedef struct Method {
    int stages;
    int order;          /* of the method */
    int embedded_order; /* of the one that it is compared with */
    bool any_jacobian;  /* its order does not depend on the matrices */
    double gamma;
    double alpha[STAGES], gamma_i[STAGES];
    double a[STAGES][STAGES], c[STAGES][STAGES], theta[STAGES][STAGES], delta[STAGES][STAGES];
    double m[STAGES], m_hat[STAGES], mu[STAGES], mu_hat[STAGES];
    bool same_point[STAGES]; /* the stage's position is that of the stage before */
} Method;

static const Method nystrom4 = {
    .stages = 4,
    .order = 4,
    .embedded_order = 3,
    .gamma = 0.572816062482134855408001384977,
    .alpha = {0.0, 1.14563212496426971081600276995, 0.655214977162467036072217759111,
              0.655214977162467036072217759111},
    .gamma_i = {0.572816062482134855408001384977, -1.76917707771092087462884196101,
                0.759293945002120550813037027885, -0.104894626207866762915714214455},
    .a = {{0},
          {2.0},
          {1.86794814665597840197655970788, 0.234445568140910092826779787922},
          {1.86794814665597840197655970788, 0.234445568140910092826779787922, 0.0}},
    .c = {{0},
          {-7.13764992135889706435599105232},
          {2.58092353069360404053474929094, 0.651629865327706424002299701264},
          {-2.13711528775527580646819321027, -0.321469529725735913959496775349,
           -0.694966054449037818496020599056}},
    .theta = {{0},
              {1.14563212496426971081600276995},
              {0.789509164371330196637972629046, 0.134294187208863160565754869935},
              {0.789509164371330196637972629046, 0.134294187208863160565754869935, 0.0}},
    .delta = {{0},
              {-1.19636101522878601922084057603},
              {1.47028023028777073355799875520, 0.348105832688369272143827721428},
              {0.00376508837294663778740566272813, -0.109762486420140445838207536829,
               -0.228031039644601891480219144088}},
    .m = {2.25556623102684042949313656754, 0.287055059579841480679928937030,
          0.435311967147277942467380713663, 1.09350765299884940615649971483},
    .m_hat = {2.06839916371434441279490615127, 0.238681350084086758311209886590,
              0.363373346541093802417825196799, 0.366557128312219231726009154703},
    .mu = {1.59275081687332167377118752316, 0.195938264834508799052723685735, 0.0,
           0.626378748084881561531747932862},
    .mu_hat = {1.43490396991212242590687384929, 0.222978670698957727963685346934,
               0.124559686518450542915419011992, 0.209969810914564094855542057014},
    .same_point = {false, false, false, true},
};

static const Method wmethod2 = {
    .stages = 2,
    .order = 2,
    .embedded_order = 1,
    .any_jacobian = true,
    .gamma = 1.70710678118654752440084436210,
    .alpha = {0.0, 1.0},
    .gamma_i = {1.70710678118654752440084436210, -1.70710678118654752440084436210},
    .a = {{0}, {0.585786437626904951198311275790}},
    .c = {{0}, {-1.17157287525380990239662255158}},
    .theta = {{0}, {1.0}},
    .delta = {{0}, {-2.41421356237309504880168872421}},
    .m = {0.878679656440357426797466913685, 0.292893218813452475599155637895},
    .m_hat = {1.17157287525380990239662255158, 0.585786437626904951198311275790},
    .mu = {0.792893218813452475599155637895, 0.5},
    .mu_hat = {0.585786437626904951198311275790, 1.0},
};
